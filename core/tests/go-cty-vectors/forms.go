package main

import "github.com/zclconf/go-cty/cty"

type form struct {
	ty   cty.Type
	text string
}

var one = cty.Object(attrs{"a": cty.String})

// Left out, since core means to differ: infinities and NaN (refused here), data after the value (refused), an empty map
// for an object with attributes (refused), texts such as "Inf" and "1p3" (refused), refinements that contradict
// themselves (go-cty panics), nil as a map key (refused), and "1e3" as JSON for a string, which is read as "1e+3".
var msgpackForms = []form{
	{cty.Number, "00"}, {cty.Number, "cc05"}, {cty.Number, "cd0005"}, {cty.Number, "ce00000005"}, {cty.Number, "cf0000000000000005"},
	{cty.Number, "d005"}, {cty.Number, "d1ffff"}, {cty.Number, "d2fffffff0"}, {cty.Number, "d3fffffffffffffff0"}, {cty.Number, "ff"},
	{cty.Number, "cfffffffffffffffff"}, {cty.Number, "ca3fc00000"}, {cty.Number, "cb3fb999999999999a"}, {cty.Number, "cb4014000000000000"},
	{cty.Number, "a135"}, {cty.Number, "a3316533"}, {cty.Number, "a4302e3130"}, {cty.Number, "a430783130"}, {cty.Number, "a22035"},
	{cty.Number, "a0"}, {cty.Number, "a165"}, {cty.Number, "a12d"}, {cty.Number, "a22e35"}, {cty.Number, "a2352e"}, {cty.Number, "a12e"},
	{cty.Number, "a531655f31"}, {cty.Number, "a3315f30"}, {cty.Number, "a4316530"}, {cty.Number, "a2312b"}, {cty.Number, "c40135"},
	{cty.Number, "c3"}, {cty.Number, "90"}, {cty.Number, "80"}, {cty.Number, "c0"}, {cty.Number, "d90135"},
	{cty.Bool, "c2"}, {cty.Bool, "01"}, {cty.Bool, "a474727565"}, {cty.Bool, "c0"},
	{cty.String, "d90161"}, {cty.String, "da000161"}, {cty.String, "db0000000161"}, {cty.String, "c40161"}, {cty.String, "05"},
	{cty.String, "c3"}, {cty.String, "90"}, {cty.String, "a365cc81"}, {cty.String, "a261"},
	{cty.List(cty.String), "dc0001a161"}, {cty.List(cty.String), "dd00000001a161"}, {cty.List(cty.String), "81a161a161"},
	{cty.List(cty.String), "92a161"}, {cty.List(cty.String), "9101"}, {cty.List(cty.String), "a161"}, {cty.List(cty.String), "91c0"},
	{cty.Set(cty.String), "dc0002a162a161"}, {cty.Set(cty.Number), "93a131cb3ff000000000000001"}, {cty.Set(cty.String), "80"},
	{cty.Set(cty.Bool), "93c3c2c3"}, {cty.Set(cty.String), "94c0a161d40000c0"}, {cty.Set(cty.String), "92d40000d40000"},
	{cty.Map(cty.String), "de0001a161a162"}, {cty.Map(cty.String), "df00000001a161a162"}, {cty.Map(cty.String), "82a161a162a161a163"},
	{cty.Map(cty.String), "90"}, {cty.Map(cty.String), "81a365cc81a161"}, {cty.Map(cty.String), "81c40161a161"},
	{one, "de0001a161a162"}, {one, "81a162a162"}, {one, "82a161a162a162a162"}, {one, "81a161c0"}, {one, "81a161d40000"}, {one, "90"},
	{one, "81a16101"}, {one, "c0"}, {one, "d40000"},
	{person, "82a46e616d65a161a361676505"}, {person, "82a3616765a135a46e616d65a161"}, {person, "81a361676505"},
	{strings2, "92a161a162"}, {strings2, "91a161"}, {strings2, "93a161a161a161"}, {strings2, "82a161a161"}, {strings2, "c0"},
	{cty.String, "d40100"}, {cty.String, "c70000"}, {cty.String, "d50c8080"}, {cty.String, "d5000000"}, {cty.String, "d40c00"},
	{cty.String, "c7050c8101c20000"}, {cty.String, "c7030c8101c2"}, {cty.String, "c7030c8101c3"}, {cty.String, "d60c810101c2"},
	{cty.String, "c7050c8202a0"}, {cty.String, "c7040c8102a161"}, {cty.String, "c7060c8102a365cc81"}, {cty.String, "c7030c810201"},
	{cty.Bool, "c7040c8102a161"}, {cty.Number, "c7050c81039201c3"}, {cty.Number, "c7080c810392a3302e31c2"}, {cty.Number, "d60c81039101"},
	{cty.Number, "c7030c810301"}, {cty.Number, "c7050c81039201c0"}, {cty.Number, "c7030c8105c2"}, {cty.List(cty.String), "c7030c810501"},
	{cty.List(cty.String), "c7030c8105cc"}, {cty.List(cty.String), "c7030c8106a1"}, {cty.List(cty.String), "c7070c8301c205020602"},
	{cty.Map(cty.String), "c7050c8201c20600"}, {cty.Map(cty.String), "c7050c8201c20500"}, {one, "c7030c8101c2"}, {one, "c7030c810501"},
	{dynamic, "c7030c8101c2"}, {dynamic, "d40000"}, {dynamic, "c0"}, {dynamic, "92c40822737472696e6722a161"},
	{dynamic, "92a822737472696e6722a161"}, {dynamic, "92c4092264796e616d696322c0"}, {dynamic, "92c4092264796e616d69632292c40822737472696e6722a161"},
	{dynamic, "91a161"}, {dynamic, "93a161a161a161"}, {dynamic, "92c40161a161"}, {dynamic, "a161"}, {dynamic, "05"},
	{dynamic, "92c40822737472696e672205"}, {cty.List(dynamic), "9292c40822737472696e6722a161c0"}, {cty.List(dynamic), "91c0"},
	{cty.Tuple([]cty.Type{dynamic}), "9192c40622626f6f6c22c3"}, {cty.EmptyObject, "80"}, {cty.EmptyTuple, "90"}, {cty.EmptyObject, "81a161c0"},
}

var jsonForms = []form{
	{cty.Number, `5`}, {cty.Number, `"5"`}, {cty.Number, `"0.10"`}, {cty.Number, `1e3`}, {cty.Number, `1E-3`}, {cty.Number, `-0.5`},
	{cty.Number, `"x"`}, {cty.Number, `true`}, {cty.Number, `[]`}, {cty.Number, `""`}, {cty.Number, `" 5"`}, {cty.Number, `null`},
	{cty.Number, `123456789012345678901234567890.5`}, {cty.Number, `{}`},
	{cty.Bool, `true`}, {cty.Bool, `"true"`}, {cty.Bool, `"1"`}, {cty.Bool, `"0"`}, {cty.Bool, `"True"`}, {cty.Bool, `1`}, {cty.Bool, `[]`},
	{cty.String, `"a"`}, {cty.String, `5`}, {cty.String, `5.50`}, {cty.String, `1e+3`}, {cty.String, `true`}, {cty.String, `{}`},
	{cty.String, `"e\u0301"`}, {cty.String, `"\ud83d\ude00"`},
	{cty.List(cty.String), `["a",5,true,null]`}, {cty.List(cty.String), `{}`}, {cty.List(cty.String), `"a"`}, {cty.List(cty.String), `[[]]`},
	{cty.List(cty.String), `[]`}, {cty.Set(cty.String), `["b","a","b"]`}, {cty.Set(cty.Number), `["1",1,1.0,null]`}, {cty.Set(cty.Number), `5`},
	{cty.Map(cty.Number), `{"a":1,"b":"2"}`}, {cty.Map(cty.Number), `{"a":1,"a":2}`}, {cty.Map(cty.Number), `[]`}, {cty.Map(cty.Number), `{"e\u0301":1}`},
	{one, `{}`}, {one, `{"a":"x"}`}, {one, `{"b":"x"}`}, {one, `[]`}, {one, `null`}, {one, `"a"`}, {person, `{"name":5}`},
	{strings2, `["a","b"]`}, {strings2, `["a"]`}, {strings2, `["a","b","c"]`}, {strings2, `{}`}, {strings2, `[1,true]`},
	{dynamic, `{"value":"a","type":"string"}`}, {dynamic, `{"type":"number","value":"5"}`}, {dynamic, `{"value":"a"}`}, {dynamic, `{"type":"string"}`},
	{dynamic, `{"value":"a","type":"string","x":1}`}, {dynamic, `"a"`}, {dynamic, `null`}, {dynamic, `{"value":null,"type":["list","string"]}`},
	{dynamic, `{"value":null,"type":"dynamic"}`}, {dynamic, `{"value":{"value":1,"type":"number"},"type":"dynamic"}`}, {dynamic, `{"value":1,"type":"int"}`},
	{cty.List(dynamic), `[{"value":"a","type":"string"},null]`}, {cty.EmptyObject, `{}`}, {cty.EmptyTuple, `[]`}, {cty.EmptyObject, `{"a":1}`},
}
