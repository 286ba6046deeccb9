import { colors, commonStyle } from '#src/core/html/style.ts'

/** For every page: light or dark as the reader prefers, with what frames it. */
export const style = `
:root{color-scheme:light dark;${colors((day) => day)}}
@media (prefers-color-scheme:dark){:root{${colors((_, night) => night)}}}
${commonStyle}
.skip{position:absolute;left:.5rem;top:-4rem;z-index:3;padding:.6rem 1rem;background:var(--card);border-radius:.6rem}
.skip:focus{top:.5rem}
a.mark{display:inline-flex;gap:.5rem;align-items:center;min-height:2.75rem;color:var(--text);text-decoration:none}
.mark svg{width:1.6rem;height:1.6rem;fill:none;stroke:var(--act);stroke-width:5}
.foot{width:100%;max-width:34rem;margin:0 auto;padding:1rem 1.25rem 2rem;font-size:.9rem}
.foot nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;border-top:1px solid var(--line);padding-top:.75rem}
.foot a{display:inline-block;padding:.4rem 0;color:var(--soft)}
`
