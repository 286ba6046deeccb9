import type { Look } from '#src/core/html/view.ts'
import { viewStyle } from '#src/views/style.ts'

/** What the pages of the console are made of, over the style of views. */
export const consoleStyle = `${viewStyle}
.panes{display:grid;grid-template-columns:minmax(0,2fr) minmax(17rem,1fr);gap:1.25rem 2.5rem;align-items:start}
.panes>*{min-width:0}
.part{margin:0 0 2rem}
.part>header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;justify-content:space-between;margin:0 0 .6rem}
.part>header h2{margin:0}
.lines{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.lines>li{border-top:1px solid var(--line)}
.lines>li:first-child{border-top:0}
.line-of{display:flex;flex-wrap:wrap;gap:.35rem 1rem;align-items:center;min-height:2.75rem;
padding:.6rem 1rem;color:inherit;text-decoration:none}
a.line-of:hover{background:var(--act-back)}
.line-of>.about{flex:1 1 9rem;min-width:0}
.line-of time{font-size:.875rem;color:var(--soft);font-variant-numeric:tabular-nums}
.line-of .soft{font-size:.875rem}
.line-of strong{font-weight:600}
.line-of p{margin:0}
.line-of .outside{margin:.25rem 0}
.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.75rem;margin:0 0 2rem;padding:0}
.numbers>div{padding:.85rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.numbers dt{font-size:.85rem}
.numbers dd{text-align:left;font-size:1.6rem;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums}
.numbers dd.bad{color:var(--bad)}.numbers dd.wait{color:var(--note)}
.face{flex:none;display:inline-grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:50%;object-fit:cover;
background:var(--act-back);color:var(--act);font-weight:600;overflow:hidden}
.talk{list-style:none;display:grid;gap:.75rem;margin:0 0 1.25rem;padding:0}
.talk li{max-width:min(42rem,90%);padding:.75rem 1rem;border-radius:1rem;background:var(--card);border:1px solid var(--line)}
.talk .from-me{justify-self:end;background:var(--act-back);border-color:transparent}
.talk p{margin:.25rem 0 0}.talk .over{margin:0 0 .25rem}
.diff{padding:.75rem 1rem;margin:0 0 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;
max-height:32rem;overflow:auto}
.diff>*{display:block;white-space:pre-wrap;margin:0;padding:0 .5rem 0 1.5rem;text-decoration:none;text-indent:-1rem}
.diff del{background:var(--bad-back);color:var(--bad)}.diff del::before{content:"−\\00a0"}
.diff ins{background:var(--good-back);color:var(--good)}.diff ins::before{content:"+\\00a0"}
.done{padding:.6rem 1rem;border-radius:.75rem;background:var(--good-back);color:var(--good);font-weight:600}
form.card{max-width:46rem}
:is(.lines,.empty)+form.card{margin-top:1rem}
input[type=file].drop{min-height:6rem;padding:1.5rem 1rem;border-style:dashed}
.window{max-height:34rem;overflow:auto;margin:0 0 1.25rem;border-radius:.75rem}
form.card.wide{max-width:none}
textarea.code{font-family:ui-monospace,monospace;font-size:.875rem}
.card .buttons button{width:auto}
.part>header>form{margin-left:auto}
.part:not(:has(>:nth-child(2))){display:none}
.part>.literal{padding:.85rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.with-face{display:flex;gap:.75rem;align-items:center}
.tabs{display:flex;gap:.25rem;overflow-x:auto;margin:0 0 1.25rem;border-bottom:1px solid var(--line)}
.tabs a{flex:none;min-height:2.75rem;padding:.6rem .85rem;color:var(--soft);font-weight:600;text-decoration:none;
border-bottom:3px solid transparent;margin-bottom:-1px}
.tabs a:hover{color:var(--text)}
.tabs a[aria-current]{color:var(--act);border-bottom-color:var(--act)}
.face+.about{flex-basis:8rem}
.empty{padding:1.1rem 1rem;background:var(--card);border:1px dashed var(--line);border-radius:.75rem;color:var(--soft)}
.empty p:last-child{margin:0}
.tools{display:flex;flex-wrap:wrap;gap:.6rem;align-items:flex-end;margin:0 0 1.25rem}
.tools>*{flex:0 1 auto;margin:0}
.tools .field{min-width:9rem}
.tools .field.wide{flex:1 1 16rem;max-width:46rem}
.tools button,.tools a.button,form.inline button{width:auto}
form.inline{display:inline-flex;gap:.5rem;align-items:center}
.pages{display:flex;gap:1rem;justify-content:flex-end;margin:.75rem 0 0}
.columns .head h3,.console main .head h2{margin:0}
.columns{display:grid;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr));gap:1rem;margin:0 0 2rem;padding:0;list-style:none}
.buttons>button,.buttons>a.button{width:auto}
.acts{margin:0 0 1.5rem}
.acts form,.acts .buttons{margin:0}.acts button,.acts a.button{width:auto}
.events{padding:0;margin:0}
.events .line-of{gap:.35rem .75rem;padding:.45rem 1rem}
.events summary.line-of{font-weight:400;list-style:none;min-height:2.75rem}
.events details{margin:0}
.filter{margin:0 0 1rem}
.filter>summary{color:var(--soft)}
.filter .tools{margin:.5rem 0 0}
.filter .tools .field{flex:1 1 9rem;max-width:16rem}
.group{margin:0}
.group>summary::before{content:"▸"/"";color:var(--soft)}
.group[open]>summary::before{content:"▾"/""}
.group summary.line-of{font-weight:400;list-style:none}
.group summary.line-of:hover{background:var(--act-back)}
.group>.row{margin:0;padding:.25rem 1rem .75rem}
.group>.row a.button{width:auto}
.group>.lines{border-width:1px 0 0;border-radius:0;background:var(--back)}
.group>.lines .line-of{padding-left:2rem}
.line-of>.buttons{gap:.5rem}.line-of>.buttons .buttons{gap:.5rem}
.more{padding:0 1rem .75rem}
.panes .chain summary{grid-template-columns:minmax(9rem,1fr) 1fr 4.5rem}
.panes>:last-child .facts{flex-direction:column;gap:.6rem;margin:0}
@media (max-width:34rem){.panes .chain summary{grid-template-columns:1fr auto}
.tabs{flex-wrap:wrap}}
@media (max-width:60rem){.panes{grid-template-columns:minmax(0,1fr)}}
`

/** A side bar on wide screens, a bar at the bottom of narrow ones. */
const style = `${consoleStyle}
body.console{display:grid;grid-template:auto 1fr auto/15rem minmax(0,1fr)}
.console>.notice{grid-column:1/-1}
.console header.top{grid-column:1;grid-row:1/span 3;position:sticky;top:0;height:100vh;max-width:none;margin:0;
padding:1rem .75rem;flex-flow:column nowrap;align-items:stretch;justify-content:flex-start;gap:.5rem;
border-right:1px solid var(--line);background:var(--card);overflow-y:auto}
.console .mark{padding:0 .75rem;margin-bottom:.5rem}
.console header.top nav{display:flex;flex-flow:column nowrap;gap:.15rem;align-items:stretch}
.console header.top nav a{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;padding:.4rem .75rem;
border-radius:.6rem;color:var(--soft);text-decoration:none;font-weight:600}
.console header.top nav a:hover{background:var(--calm-back)}
.console header.top nav a[aria-current]{background:var(--act-back);color:var(--act)}
.places svg,.places+nav svg{width:1.35rem;height:1.35rem;flex:none;fill:none;stroke:currentColor;stroke-width:1.75;
stroke-linecap:round;stroke-linejoin:round}
.many{margin-left:auto;min-width:1.5rem;padding:0 .45rem;border-radius:1rem;background:var(--note-back);color:var(--note);
font-size:.8rem;text-align:center;font-variant-numeric:tabular-nums}
.whose{margin-top:auto;padding:.75rem;border-top:1px solid var(--line);font-weight:400;font-size:.9rem}
.whose p{margin:0 0 .25rem}
.console main{grid-column:2;max-width:76rem;margin:0;padding:1.75rem 2.5rem 2rem}
.console .foot{grid-column:2;max-width:76rem;margin:0;padding:1rem 2.5rem 1.5rem}
.console h1{font-size:1.5rem;margin:0 0 1.25rem}
.console main h2{font-size:1.05rem;margin:0 0 .75rem}
.console main>section{margin:0 0 2rem}
.console main .day h2{font-size:.8rem}
@media (max-width:48rem){
body.console{display:flex;padding-bottom:4.5rem}
.console header.top{position:static;height:auto;flex-flow:row wrap;align-items:center;justify-content:space-between;
padding:.4rem 1.25rem;border-right:0;border-bottom:1px solid var(--line)}
.console .mark{padding:0;margin:0}
.console header.top nav.places{position:fixed;z-index:2;left:0;right:0;bottom:0;flex-flow:row nowrap;gap:0;
background:var(--card);border-top:1px solid var(--line);padding:.25rem .25rem max(.25rem,env(safe-area-inset-bottom))}
.console header.top nav.places a{position:relative;flex:1 1 0;min-width:0;flex-direction:column;gap:.1rem;justify-content:center;
padding:.35rem .1rem;font-size:.75rem}
.places .many{position:absolute;top:.1rem;left:55%;min-width:1.2rem;padding:0 .3rem;font-size:.7rem}
.console header.top nav.own{flex-flow:row nowrap}
.whose{display:none}
.console main,.console .foot{padding-left:1.25rem;padding-right:1.25rem}
.console main{padding-top:1.25rem}
}
`

/** The look of the pages on which persons look after their agents. */
export const consoleLook: Look = { name: 'console', style, isLive: true }
