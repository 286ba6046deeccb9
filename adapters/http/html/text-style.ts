/** For pages of text: wider, with tables and code that scroll by themselves. */
export const readingStyle = `
header.top,main,.foot{max-width:52rem}
header.top a{color:inherit}
nav.path{margin:0 0 1rem}
h1{overflow-wrap:anywhere}
h2{border-top:1px solid var(--line);padding-top:1.5rem}
h3{font-size:1rem;margin:1.5rem 0 .5rem}
h4{font-size:.95rem;margin:1.25rem 0 .5rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
p code,li code,td code,dd code{background:var(--card);border:1px solid var(--line);
border-radius:.3rem;padding:.05rem .3rem}
pre{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1rem;
margin:0 0 1rem;overflow-x:auto;line-height:1.45;white-space:pre;overflow-wrap:normal}
pre code{font-size:1em}
.scroll{overflow-x:auto;margin:0 0 1rem}
table{border-collapse:collapse;width:100%;font-size:.95em;overflow-wrap:break-word}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;
border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--soft);font-weight:600}
th{font-weight:600}
blockquote{margin:0 0 1rem;padding:0 0 0 1rem;border-left:3px solid var(--line)}
ul,ol{margin:0 0 1rem;padding-left:1.4rem}
li{margin:.25rem 0}
img{max-width:100%}
@media (max-width:40rem){.members thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;
overflow:hidden}
.members tr,.members th,.members td{display:block}
.members tr{border-top:1px solid var(--line);padding:.5rem 0}
.members th,.members td{border:0;padding:.1rem 0;overflow-wrap:anywhere}
.members td:empty{display:none}}
form.search{display:flex;gap:.5rem;margin:0 0 1.25rem}
form.search input{flex:1;min-width:0;min-height:2.75rem;padding:.5rem .75rem;font:inherit;
color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
form.search button{width:auto}
.method{display:inline-block;min-width:4.2em;font-weight:700}
.line{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
`
