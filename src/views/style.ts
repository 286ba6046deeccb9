/** The style of views, over the common one. */
export const viewStyle = `
.head{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;margin:0 0 1rem}
.head h1{margin:0;font-size:1.35rem}
.head h1 .soft{font-weight:400}
.over{margin:0;font-size:.8rem;font-weight:600;letter-spacing:.02em;color:var(--soft)}
.icon{width:1rem;height:1rem;flex:none;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;
stroke-linejoin:round}
.icon.dots{stroke-width:2.6}
.badge{display:inline-flex;gap:.35rem;align-items:center;padding:.2rem .65rem .2rem .5rem;border-radius:1rem;
font-size:.875rem;font-weight:600;line-height:1.4;white-space:nowrap;background:var(--calm-back);color:var(--soft)}
.badge.good{background:var(--good-back);color:var(--good)}
.badge.bad{background:var(--bad-back);color:var(--bad)}
.badge.wait{background:var(--note-back);color:var(--note)}
.badge.busy{background:var(--act-back);color:var(--act)}
.good>.icon{color:var(--good)}.bad>.icon{color:var(--bad)}.wait>.icon{color:var(--note)}.busy>.icon{color:var(--act)}
.calm>.icon{color:var(--soft)}
.facts{display:flex;flex-wrap:wrap;gap:.6rem 2rem;margin:0 0 1.25rem}
.facts dt{font-size:.8rem}
.facts dd{text-align:left;font-variant-numeric:tabular-nums}
.outside{display:flex;gap:.6rem;align-items:flex-start;font-size:.9rem;color:var(--note);background:var(--note-back);
border-radius:.6rem;padding:.55rem .8rem}
.outside .icon{margin-top:.2rem}
.literal{max-height:22rem;overflow:auto;font-size:.95rem}
.said+.soft{margin:.5rem 0 0}
.problem p{margin:0}
.problem{margin:0 0 1.25rem}
.asks{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;justify-content:space-between;margin:0 0 1.25rem}
.asks p{margin:0}
.asks a.button{width:auto}
.chain,.rows{list-style:none;margin:0 0 1rem;padding:0;background:var(--card);border:1px solid var(--line);
border-radius:.75rem}
.chain>li,.rows>li{border-top:1px solid var(--line)}
.chain>li:first-child,.rows>li:first-child{border-top:0}
.chain details,.rows details{margin:0}
.chain summary,.rows summary{display:grid;align-items:center;gap:.25rem 1rem;min-height:2.75rem;padding:.5rem 1rem;
font-weight:400;list-style:none;border-radius:.75rem}
summary::-webkit-details-marker{display:none}
.chain summary{grid-template-columns:minmax(8rem,2fr) 3fr 5.5rem}
.rows summary{grid-template-columns:1fr auto auto}
.chain summary:hover,.rows summary:hover{background:var(--act-back)}
.chain summary[aria-current] .who{font-weight:600}
.what{display:flex;gap:.55rem;align-items:center;min-width:0}
.who{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.chain details[open] .who,.rows details[open] .who{white-space:normal}
.took{text-align:right;font-size:.875rem;color:var(--soft);font-variant-numeric:tabular-nums}
.word{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.bar{width:100%;height:.625rem;overflow:visible}
.bar .waits{fill:var(--line)}
.bar .works{fill:var(--soft)}
.bar.good .works{fill:var(--good)}.bar.bad .works{fill:var(--bad)}.bar.busy .works{fill:var(--act)}
.bar.wait .works{fill:var(--note)}
.chain details[open],.rows details[open]{padding-bottom:.75rem}
.chain details>:not(summary),.rows details>:not(summary){margin-left:1rem;margin-right:1rem}
.in-1 .what{padding-left:1rem}.in-2 .what{padding-left:2rem}.in-3 .what{padding-left:3rem}
.in-4 .what{padding-left:4rem}.in-5 .what{padding-left:5rem}.in-6 .what{padding-left:6rem}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem}
.act button{width:auto;min-width:7rem}
.act .problem{margin:.75rem 0 0}
button.bad{background:transparent;color:var(--bad)}
button.quiet{border-color:var(--field);color:var(--text)}
button[aria-busy=true]{opacity:.6;cursor:progress}
.lead{font-size:1.05rem;margin:0 0 1.25rem}
.approval>header{display:flex;gap:.5rem 1rem;align-items:center;justify-content:space-between}
.approval>h2,.card.approval>h2{margin:.4rem 0 1rem;font-size:1.15rem}
.approval h3{margin:1rem 0 .4rem;font-size:.8rem;color:var(--soft)}
.card .literal{background:var(--back);border:1px solid var(--line);border-radius:.6rem;padding:.7rem .9rem;margin:0 0 1rem}
.card>.literal:last-child{margin-bottom:0}
ul.plain{list-style:none;margin:0 0 1rem;padding:0}
ul.plain ul.plain{margin:.15rem 0 .25rem 1rem}
ul.plain li{padding:.2rem 0}
ul.plain li>.icon{vertical-align:-.15em}
.votes{list-style:none;margin:0 0 1rem;padding:0}
.votes li{display:flex;gap:.6rem;align-items:flex-start;padding:.3rem 0}
.votes .icon{margin-top:.25rem}
.approval .act .field{margin-bottom:.75rem}
.approval .asks{margin-bottom:0}
.approval .facts{margin-bottom:1rem}
.picture{margin:0 0 1.25rem;padding:1.25rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;
display:flex;justify-content:center}
.picture svg{max-width:100%;height:auto}
.picture .narrow{display:none}
.agent rect{fill:var(--back);stroke:var(--field);stroke-width:1.25}
.agent text{fill:var(--text);font-size:13.5px;font-weight:600;text-anchor:middle;dominant-baseline:central}
.agent.changed rect{fill:var(--note-back);stroke:var(--note)}
.agent.changed text{fill:var(--note)}
.line{fill:none;stroke:var(--soft);stroke-width:1.5}
.line.back{stroke-dasharray:4 4}
.tip{fill:var(--soft)}
.week{list-style:none;display:grid;grid-template-columns:repeat(7,1fr);margin:0 0 1rem;padding:0;background:var(--card);
border:1px solid var(--line);border-radius:.75rem;overflow:hidden}
.day{padding:.75rem .6rem;border-left:1px solid var(--line);min-height:8rem}
.day:first-child{border-left:0}
.day h2{margin:0 0 .6rem;font-size:.8rem;font-weight:600;color:var(--soft)}
.day.today{background:var(--act-back)}
.day.today h2{color:var(--act)}
.day ul{list-style:none;margin:0;padding:0;display:grid;gap:.35rem}
.day p{margin:0}
.day summary{min-height:2.5rem;display:flex;align-items:center;font-size:.85rem;color:var(--act)}
.head .act button,.head a.button{min-width:0;width:auto}
.day details{margin:0}
.day .act .buttons{display:block}
.fire button,.fire .opens{all:unset;box-sizing:border-box;display:flex;flex-wrap:wrap;gap:0 .35rem;align-items:center;width:100%;
min-height:2.5rem;min-width:0;font-weight:inherit;color:inherit}
.fire button,.fire a{cursor:pointer}
.fire .act{width:100%;min-width:0}
.fire button:focus-visible,.fire .opens:focus-visible{outline:3px solid var(--act);outline-offset:2px;border-radius:.4rem}
.fire .of{flex-basis:100%;min-width:0;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;
font-weight:600;color:var(--text)}
.fire .of.soft{font-weight:400;color:var(--soft)}
.fire{position:relative;display:flex;gap:.35rem;align-items:center;padding:.15rem .5rem;border-radius:.5rem;
font-size:.875rem;font-variant-numeric:tabular-nums;border:1px solid transparent}
.fire.good{background:var(--good-back);color:var(--good)}
.fire.bad{background:var(--bad-back);color:var(--bad)}
.fire.wait{background:var(--note-back);color:var(--note)}
.fire.busy{background:var(--act-back);color:var(--act)}
.fire.calm{background:var(--calm-back);color:var(--soft)}
.fire.calm time{text-decoration:line-through}
.fire.coming{border-color:var(--field)}
.fire .icon{width:.875rem;height:.875rem}
.week+.soft{margin-bottom:1rem}
.search{display:flex;gap:.6rem;margin:0 0 1rem}
.search input{flex:1;min-width:0;background:var(--card)}
.search button{flex:none;min-width:0}
.hits{list-style:none;margin:0 0 1rem;padding:0;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.hits>li{padding:1rem 1.25rem;border-top:1px solid var(--line)}
.hits>li:first-child{border-top:0}
.hits header{display:flex;gap:.5rem 1rem;align-items:flex-start;justify-content:space-between}
.hits h2{margin:0;font-size:1.05rem}
.hits p{margin:.35rem 0 0}
.hits .soft{font-size:.9rem}
.hits .act{margin:.6rem 0 0}
.hits .act button{min-width:0}
.tag{display:inline-block;padding:0 .45rem;border:1px solid var(--line);border-radius:.5rem;font-size:.8rem}
.state{padding:2rem 1rem;text-align:center;color:var(--soft)}
@media (prefers-reduced-motion:no-preference){.icon.ring{animation:turn 1.2s linear infinite;transform-origin:center}}
@keyframes turn{to{transform:rotate(360deg)}}
@media (max-width:34rem){.hits header{flex-direction:column}.who{white-space:normal}.chain summary{grid-template-columns:1fr auto}
.chain summary .bar{grid-column:1/-1;grid-row:2}
.rows summary{grid-template-columns:1fr auto}.rows summary .who{grid-column:1/-1}
.in-1 .what{padding-left:.5rem}.in-2 .what{padding-left:1rem}.in-3 .what{padding-left:1.5rem}
.in-4 .what{padding-left:2rem}.in-5 .what{padding-left:2.5rem}.in-6 .what{padding-left:3rem}
.picture{padding:1rem .5rem}.picture .wide{display:none}.picture .narrow{display:block}
.week{grid-template-columns:1fr}.day{display:grid;grid-template-columns:5.5rem 1fr;gap:.25rem .75rem;min-height:0;
border-left:0;border-top:1px solid var(--line);align-items:start;padding:.6rem 1rem}.day:first-child{border-top:0}
.day h2{margin:.25rem 0 0}.day ul{display:flex;flex-wrap:wrap}.day .fire:has(.of){width:100%}}
`
