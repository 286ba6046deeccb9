import type { Look } from '#src/core/html/view.ts'
import { consoleStyle } from '../console/look.ts'

const style = `${consoleStyle}
.front header.top,.front main,.front .foot{max-width:64rem}
.front header.top a{color:inherit}
.front h1{font-size:2rem;margin:1.5rem 0 .75rem;text-wrap:balance}
.front .lead{max-width:44rem;margin:0 0 1.75rem}
.ways{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1.25rem;margin:0 0 2rem}
.ways .card{margin:0}
.ways pre{white-space:pre-wrap}
`

/** The look of the front door. */
export const frontLook: Look = { name: 'front', style, isLive: false }
