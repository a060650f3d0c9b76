// SPDX-License-Identifier: MIT

import Testing

/// An attempt to escape, or to use up what the host has.
struct Attempt: Sendable, CustomTestStringConvertible {
    let id: Int
    let snippet: String
    let outcome: Outcome

    /// How an attempt ends: contained in each case.
    enum Outcome: String {
        case ok, err, terminated = "TERMINATED"
    }

    var testDescription: String { "row \(id)" }

    init(_ id: Int, _ outcome: Outcome, _ snippet: String) {
        self.id = id
        self.snippet = snippet
        self.outcome = outcome
    }

    // Left out: 1 and 4 are about `os` and `require`, which the engine adds.
    static let all: [Attempt] = [
        Attempt(
            2,
            .ok,
            #"""
            return io and io.open('/etc/passwd')
            """#
        ),
        Attempt(
            5,
            .ok,
            #"""
            return debug and debug.getregistry()
            """#
        ),
        Attempt(
            7,
            .ok,
            #"""
            return _G.io, _G._G._G.load and _G.load('return io')()
            """#
        ),
        Attempt(
            8,
            .ok,
            #"""
            return load and load('return _ENV')() == _G
            """#
        ),
        Attempt(
            10,
            .ok,
            #"""
            return string.dump and #string.dump(function() end)
            """#
        ),
        Attempt(
            11,
            .ok,
            #"""
            return load and tostring(load(string.dump(function() return 1 end),'x','b'))
            """#
        ),
        Attempt(
            13,
            .err,
            #"""
            local m=getmetatable('') m.__index=function() return 'pwned' end return ('x').y
            """#
        ),
        Attempt(
            14,
            .ok,
            #"""
            string.upper=function() return 'pwned' end return ('x'):upper()
            """#
        ),
        Attempt(
            16,
            .err,
            #"""
            K=setmetatable({},{__gc=function() while true do end end}) return 'set'
            """#
        ),
        Attempt(
            17,
            .ok,
            #"""
            local m={} K=setmetatable({},m) m.__gc=function() while true do end end return 'set'
            """#
        ),
        Attempt(
            19,
            .err,
            #"""
            local x <close> = setmetatable({},{__close=function() while true do end end}) \#
            error('x')
            """#
        ),
        Attempt(
            20,
            .terminated,
            #"""
            local keys={} for i=1,256 do keys[i]='key'..i end for slack=1,24 do pcall(function() \#
            local b={} for i=1,12000 do b[i]=false end pcall(function() for i=1,12000 do \#
            b[i]=string.rep('x',900)..i end end) for i=1,slack do b[i]=false end \#
            collectgarbage() local mt=setmetatable({__newindex={}},{__mode='v'}) local \#
            t=setmetatable({},mt) for i=1,256 do t[keys[i]]=i end end) end return 'done'
            """#
        ),
        Attempt(
            22,
            .terminated,
            #"""
            local t={} for i=1,1e5 do t=setmetatable({},{__index=t}) end return t.x
            """#
        ),
        Attempt(
            23,
            .err,
            #"""
            local t={} for i=1,200 do t[i]=setmetatable({},{__lt=function() return true end}) \#
            end table.sort(t) return 'sorted'
            """#
        ),
        Attempt(
            25,
            .err,
            #"""
            table.remove(setmetatable({},{__len=function() return 1<<40 end}),1) return 1
            """#
        ),
        Attempt(
            26,
            .err,
            #"""
            return select('#',table.unpack(setmetatable({},{__len=function() return 1<<30 \#
            end})))
            """#
        ),
        Attempt(
            28,
            .terminated,
            #"""
            for k in pairs(setmetatable({},{__pairs=function() return function() return 1 end \#
            end})) do end
            """#
        ),
        Attempt(
            29,
            .err,
            #"""
            return tostring(setmetatable({},{__tostring=function() return {} end}))
            """#
        ),
        Attempt(
            31,
            .ok,
            #"""
            return tostring(setmetatable({},{__name=('x'):rep(1000)})):sub(1,20)
            """#
        ),
        Attempt(
            32,
            .err,
            #"""
            return getmetatable(setmetatable({},{__metatable='nope'}))
            """#
        ),
        Attempt(
            34,
            .terminated,
            #"""
            ::a:: goto a
            """#
        ),
        Attempt(
            35,
            .terminated,
            #"""
            while true do pcall(function() while true do end end) end
            """#
        ),
        Attempt(
            37,
            .ok,
            #"""
            return (xpcall or pcall)(function() error('a') end,function(m) error(m) end)
            """#
        ),
        Attempt(
            38,
            .terminated,
            #"""
            for i=1,math.maxinteger do end
            """#
        ),
        Attempt(
            40,
            .err,
            #"""
            N=0 local function l(d) if d==0 then for j=1,150 do N=N+1 end return end for i=1,40 \#
            do coroutine.wrap(l)(d-1) end end l(5)
            """#
        ),
        Attempt(
            41,
            .err,
            #"""
            local c=false for i=1,20000 do local p=c c=coroutine.create(function() local x \#
            <close> = setmetatable({},{__close=function() if p then coroutine.close(p) end end}) \#
            coroutine.yield() end) coroutine.resume(c) end return coroutine.close(c)
            """#
        ),
        Attempt(
            43,
            .err,
            #"""
            local t={} for i=1,1e6 do t[i]=coroutine.create(print) end
            """#
        ),
        Attempt(
            44,
            .err,
            #"""
            return #string.rep('',1<<40)
            """#
        ),
        Attempt(
            46,
            .err,
            #"""
            table.move({},1,1<<40,2)
            """#
        ),
        Attempt(
            47,
            .err,
            #"""
            return string.find(('a'):rep(40),('a?'):rep(40)..('a'):rep(40))
            """#
        ),
        Attempt(
            49,
            .err,
            #"""
            return string.find(('a'):rep(3000),'.*.*.*.*b')
            """#
        ),
        Attempt(
            50,
            .err,
            #"""
            return string.find(('('):rep(200000),'%b()')
            """#
        ),
        Attempt(
            52,
            .err,
            #"""
            return string.find(('a'):rep(300),('(a?)'):rep(32)..'b')
            """#
        ),
        Attempt(
            53,
            .err,
            #"""
            return (('a'):rep(100000):gsub('a-b','x'))
            """#
        ),
        Attempt(
            55,
            .terminated,
            #"""
            local t={} for i=1,400000 do t[i]=(i*7919)%1000003 end table.sort(t) return #t
            """#
        ),
        Attempt(
            56,
            .err,
            #"""
            local t={} for i=1,50000 do t[i]=i end table.sort(t,function(a,b) return true end)
            """#
        ),
        Attempt(
            58,
            .ok,
            #"""
            return load and load(function() return 'x=1 ' end)
            """#
        ),
        Attempt(
            59,
            .ok,
            #"""
            return load and load(('x=1 '):rep(2e6))
            """#
        ),
        Attempt(
            61,
            .terminated,
            #"""
            local function f(n) return 1+f(n+1) end return f(1)
            """#
        ),
        Attempt(
            62,
            .terminated,
            #"""
            local function f() return f() end return f()
            """#
        ),
        Attempt(
            64,
            .terminated,
            #"""
            local s='x' while true do s=s..s end
            """#
        ),
        Attempt(
            65,
            .err,
            #"""
            return #('x'):rep(1<<30)
            """#
        ),
        Attempt(
            67,
            .terminated,
            #"""
            local t={} for i=1,1e9 do t['k'..i]=i end
            """#
        ),
        Attempt(
            68,
            .terminated,
            #"""
            local t={} for i=1,1e9 do t[i]=function() return i end end
            """#
        ),
        Attempt(
            70,
            .terminated,
            #"""
            local s=('x'):rep(1<<16) for i=1,10 do s=s:gsub('x','%0%0%0%0') end return #s
            """#
        ),
        Attempt(
            71,
            .err,
            #"""
            local f=('%99.99f'):rep(200) return #f:format(table.unpack({1e308,1e308,1e308}))
            """#
        ),
        Attempt(
            73,
            .ok,
            #"""
            return string.pack and #string.pack('c2147483647','')
            """#
        ),
        Attempt(
            74,
            .terminated,
            #"""
            local t={} for i=1,900000 do t[i]=i end return select('#',table.unpack(t))
            """#
        ),
        Attempt(
            76,
            .terminated,
            #"""
            local function f(...) return f(1,...) end return f()
            """#
        ),
        Attempt(
            77,
            .terminated,
            #"""
            while true do pcall(function() local s='x' while true do s=s..s end end) end
            """#
        ),
        Attempt(
            79,
            .err,
            #"""
            return #('ab'):rep(math.maxinteger)
            """#
        ),
        Attempt(
            80,
            .err,
            #"""
            return table.concat({},'',math.mininteger,math.maxinteger)
            """#
        ),
        Attempt(
            82,
            .err,
            #"""
            return table.unpack({},0,math.maxinteger)
            """#
        ),
        Attempt(
            83,
            .ok,
            #"""
            return ('abc'):sub(math.mininteger,math.maxinteger)
            """#
        ),
        Attempt(
            85,
            .err,
            #"""
            return 1//0
            """#
        ),
        Attempt(
            86,
            .ok,
            #"""
            return math.mininteger//-1, math.mininteger%-1
            """#
        ),
        Attempt(
            88,
            .err,
            #"""
            local t={} t[0/0]=1
            """#
        ),
        Attempt(
            89,
            .err,
            #"""
            return select(-1<<40,1)
            """#
        ),
        Attempt(
            91,
            .ok,
            #"""
            return (tostring({}):find('0x')) and 'leaks' or 'no address'
            """#
        ),
        Attempt(
            92,
            .err,
            #"""
            return string.format('%p',{})
            """#
        ),
        Attempt(
            94,
            .ok,
            #"""
            local ok,m=pcall(error,'x') return m
            """#
        ),
        Attempt(
            95,
            .err,
            #"""
            return collectgarbage('stop'), collectgarbage('generational')
            """#
        ),
        Attempt(
            97,
            .err,
            #"""
            for i=1,1e6 do print(('x'):rep(1000)) end
            """#
        ),
        Attempt(
            98,
            .ok,
            #"""
            LEAK=1 string.foo=1 math.pi=3 return ('x').foo
            """#
        ),
        Attempt(
            100,
            .ok,
            #"""
            local s='local a=... return a'..('.x'):rep(30000)..'+1' local f=load and load(s) if \#
            f then local a={} a.x=a return pcall(f,a) end return 'no load'
            """#
        ),
        Attempt(
            101,
            .ok,
            #"""
            return load and load('return '..('('):rep(1e5)) or 'no load'
            """#
        ),
        Attempt(
            103,
            .err,
            #"""
            local t={a=1} return next(t,'zz')
            """#
        ),
        Attempt(
            104,
            .ok,
            #"""
            local t={} for i=1,100 do t['k'..i]=i end for k in pairs(t) do t[k..'x']=1 if \#
            next(t)==nil then break end end return 'ok'
            """#
        ),
    ]
}
