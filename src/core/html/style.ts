/** The colours of every page by their names in the style: by day, and by night. */
export const palette: Readonly<Record<string, readonly [day: string, night: string]>> = {
  back: ['#f6f6f3', '#131416'],
  card: ['#fff', '#1d1f22'],
  text: ['#1c1d1f', '#ececea'],
  soft: ['#565a60', '#a9adb3'],
  line: ['#d8d8d2', '#3a3d42'],
  act: ['#1f4fbf', '#8fb2ff'],
  'on-act': ['#fff', '#0d1526'],
  'act-back': ['#e7eefc', '#1c2942'],
  'calm-back': ['#ecece7', '#2a2d31'],
  field: ['#75797f', '#878c93'],
  bad: ['#a3211b', '#ffb4ad'],
  'on-bad': ['#fff', '#2b0a08'],
  'bad-back': ['#fdeceb', '#3a1917'],
  good: ['#17633a', '#93dcb0'],
  'good-back': ['#e4f4e9', '#16301f'],
  note: ['#5b4300', '#ffe2a0'],
  'note-back': ['#fff1c9', '#3a2e0c'],
}

/** The palette as declarations of a style, each with a value made of both of its colours. */
export function colors(valueOf: (day: string, night: string, name: string) => string): string {
  return Object.entries(palette)
    .map(([name, [day, night]]) => `--${name}:${valueOf(day, night, name)}`)
    .join(';')
}

/** The style that everything for people shares: one column, large enough for touch, in the colours of the palette. */
export const commonStyle = `
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--back);color:var(--text);overflow-wrap:anywhere;
display:flex;flex-direction:column}
.notice{margin:0;padding:.6rem 1.25rem;background:var(--note-back);color:var(--note);
text-align:center;font-weight:600}
header.top,main{width:100%;max-width:34rem;margin:0 auto;padding:0 1.25rem}
header.top{padding-top:1.5rem;color:var(--soft);font-weight:600;display:flex;flex-wrap:wrap;
gap:.25rem 1rem;align-items:center;justify-content:space-between}
header.top nav,.row{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center}
header.top nav a{display:inline-block;padding:.6rem 0}
.row p{margin:0}
main{padding-top:1rem;padding-bottom:1.5rem;flex:1}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.15rem;line-height:1.3;margin:2rem 0 .75rem}
h3{font-size:1rem;line-height:1.3;margin:0 0 .75rem}
.card>h2:first-child{margin-top:0}
p,main>ul:not(.list){margin:0 0 1rem}
code{font-family:ui-monospace,monospace;font-size:.9em}
.said{white-space:pre-wrap}
pre{margin:0 0 1rem;font-family:ui-monospace,monospace;font-size:.9em;max-height:30rem;overflow:auto}
.soft{color:var(--soft)}
.list{list-style:none;margin:0;padding:0}
.list>li{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;padding:.75rem 0;
border-top:1px solid var(--line)}
.list>li:first-child{border-top:0;padding-top:0}
.list>li:last-child{padding-bottom:0}
.list>li>:first-child{flex:1 1 11rem}
.list p{margin:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;
margin:0 0 1.25rem}
.card>:last-child{margin-bottom:0}
ul.card{padding-inline-start:2.5rem}
dl{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:.5rem 1.25rem;margin:0 0 1rem}
dt{color:var(--soft)}
dd{margin:0;text-align:right}
.sum{font-weight:700}
.problem{background:var(--bad-back);color:var(--bad);border-radius:.75rem;padding:.75rem 1.25rem}
.wrong{color:var(--bad);font-weight:600}
.field{margin:0 0 1rem}
form+p,form+form[data-passkey]{margin-top:1rem}
.field>p{margin:0 0 .5rem}
label{display:block;font-weight:600;margin:0 0 .25rem}
input,select,textarea{display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;
color:var(--text);background:var(--back);border:1px solid var(--field);border-radius:.6rem}
fieldset{border:0;padding:0;margin:0 0 1rem}
legend{font-weight:600;padding:0;margin:0 0 .25rem}
label.check{display:flex;gap:.75rem;align-items:flex-start;font-weight:400;padding:.5rem 0;min-height:2.75rem}
label.check input{width:1.25rem;min-height:1.25rem;margin:.15rem 0 0;flex:none}
[aria-invalid]{border:2px solid var(--bad)}
textarea.key{font-family:ui-monospace,monospace;resize:none;word-break:break-all;user-select:all;
-webkit-user-select:all}
.actions{display:flex;flex-direction:column;gap:.75rem;margin:0 0 1.25rem}
button,a.button{display:block;width:100%;min-height:2.75rem;padding:.6rem 1.25rem;font:inherit;
font-weight:600;text-align:center;text-decoration:none;border:1px solid var(--act);
border-radius:.6rem;background:transparent;color:var(--act);cursor:pointer}
button.main,a.button.main{background:var(--act);color:var(--on-act)}
.list button,.list a.button{width:auto}
button.bad{border-color:var(--bad);background:var(--bad);color:var(--on-bad)}
button.plain{display:inline;width:auto;padding:.5rem 0;border:0;text-decoration:underline}
details{margin:0 0 1rem}
summary{cursor:pointer;padding:.4rem 0;font-weight:600}
a{color:var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:3px}
`
