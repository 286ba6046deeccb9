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
.state{padding:2rem 1rem;text-align:center;color:var(--soft)}
@media (prefers-reduced-motion:no-preference){.icon.ring{animation:turn 1.2s linear infinite;transform-origin:center}}
@keyframes turn{to{transform:rotate(360deg)}}
@media (max-width:34rem){.who{white-space:normal}.chain summary{grid-template-columns:1fr auto}
.chain summary .bar{grid-column:1/-1;grid-row:2}
.rows summary{grid-template-columns:1fr auto}.rows summary .who{grid-column:1/-1}
.in-1 .what{padding-left:.5rem}.in-2 .what{padding-left:1rem}.in-3 .what{padding-left:1.5rem}
.in-4 .what{padding-left:2rem}.in-5 .what{padding-left:2.5rem}.in-6 .what{padding-left:3rem}}
`
