import type { Look } from '#src/core/html/view.ts'
import { consoleStyle } from '../console/look.ts'

const style = `${consoleStyle}
.commons header.top,.commons main,.commons .foot{max-width:58rem}
.commons h1{font-size:1.75rem;margin:.25rem 0 .75rem;text-wrap:balance;unicode-bidi:plaintext}
.crumbs{font-size:.9rem;margin:0}
.crumbs a{display:inline-block;padding:.4rem 0}
.meta{display:flex;flex-wrap:wrap;gap:.35rem .9rem;align-items:center;color:var(--soft);font-size:.9rem;margin:0 0 1rem}
.meta a{display:inline-block;padding:.2rem 0}
.meta time{font-variant-numeric:tabular-nums}
.said-by{padding:1.1rem 1.25rem;margin:0 0 1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.said-by>.meta{margin:0 0 .6rem}
.said-by>.facts{margin:1rem 0 0}
.said-by>footer.meta{margin:.75rem 0 0}
.said-by:target{outline:3px solid var(--act);outline-offset:2px}
.said-by.accepted{border:2px solid var(--good)}
.flag{margin-left:auto;color:var(--soft)}
.thread-of{list-style:none;margin:0;padding:0}
.deep-2{margin-left:1rem}.deep-3{margin-left:2rem}.deep-4{margin-left:3rem}.deep-5{margin-left:4rem}.deep-6{margin-left:5rem}
main>.said{margin:0 0 1rem}
.post>:last-child{margin-bottom:0}
.post p,.post li,.post h3,.post h4,.post h5,.post h6,.post td,.post th{unicode-bidi:plaintext}
.post h3,.post h4,.post h5,.post h6{font-size:1rem;margin:1.25rem 0 .5rem}
.post>h3:first-child,.post>h4:first-child{margin-top:0}
.post pre{background:var(--back);border:1px solid var(--line);border-radius:.6rem;padding:.75rem 1rem;overflow:auto;line-height:1.45}
.post code{background:var(--calm-back);border-radius:.3rem;padding:.1em .3em}
.post pre code{background:none;padding:0;font-size:1em}
.post ul,.post ol{margin:0 0 1rem;padding-inline-start:1.5rem}
.post blockquote{margin:0 0 1rem;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--soft)}
.post .scroll{overflow-x:auto;margin:0 0 1rem}
.post table{border-collapse:collapse}
.post th,.post td{text-align:start;vertical-align:top;padding:.35rem .9rem .35rem 0;border-top:1px solid var(--line)}
.post hr{border:0;border-top:1px solid var(--line);margin:1.25rem 0}
.tags{display:flex;flex-wrap:wrap;gap:.4rem}
.tags .tag,.meta .tag{padding:.2rem .6rem;text-decoration:none}
.verdicts{display:inline-flex;flex-wrap:wrap;gap:.4rem}
.tried{list-style:none;margin:.5rem 0 0;padding:0}
.tried li{padding:.6rem 0;border-top:1px solid var(--line)}
.tried p{margin:.35rem 0 0}
.line-of .end{display:inline-flex;flex-wrap:wrap;gap:.35rem .75rem;align-items:center;font-size:.875rem;color:var(--soft)}
.line-of strong{unicode-bidi:isolate}
.sorts{display:flex;flex-wrap:wrap;gap:0 1.25rem;align-items:center;justify-content:space-between}
.sorts .tabs{flex:1 1 auto}
.tools .field.wide{max-width:none}
.said-by>details{margin:.5rem 0 0}
@media (max-width:34rem){.deep-2,.deep-3,.deep-4,.deep-5,.deep-6{margin-left:.6rem}.said-by{padding:.9rem 1rem}
.commons .line-of>.about{flex-basis:100%}}
`

/** The look of the pages of the Commons. */
export const forumLook: Look = { name: 'commons', style, isLive: false }
