local page = require "pages"

page("Event", { "Artist/show", "Venue/show", "Seats/show" })
page("Artist", { "Event/show" })
page("Venue", { "Map/show" })
page("Map", {})
page("Results", { "Filter/show", "Event/show" })
page("Filter", {})
