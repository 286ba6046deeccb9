import { createHash } from 'node:crypto'
import { Html, html } from '#src/core/html/html.ts'
import { colors, commonStyle } from '#src/core/html/style.ts'
import { viewStyle } from '#src/views/style.ts'
import type { View } from '#src/views/view.ts'

/** Colours of the host, where it gives all that have to fit each other. */
const hostColors: Readonly<Record<string, string>> = {
  back: '--color-background-primary',
  card: '--color-background-secondary',
  text: '--color-text-primary',
  soft: '--color-text-secondary',
  line: '--color-border-primary',
}

const style = `
:root{color-scheme:light dark;${colors((day, night) => `light-dark(${day},${night})`)}}
:root[data-colors=host]{${Object.entries(hostColors)
  .map(([name, variable]) => `--${name}:var(${variable})`)
  .join(';')}}
${commonStyle}${viewStyle}
html{font-family:var(--font-sans,system-ui,sans-serif)}
body{min-height:0;background:var(--back)}
main{max-width:60rem;padding:1rem}
footer{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between;width:100%;
max-width:60rem;margin:0 auto;padding:0 1rem 1rem;font-size:.875rem;color:var(--soft)}
main:focus{outline:none}
footer p{margin:0}
footer button{width:auto}
:root[data-calls=no] .act,:root[data-calls=no] footer button{display:none}
`

/** What a document has besides its view. */
export interface AppParts {
  /** What runs in it. */
  script: string
  /** The public URL of the service, without a final slash: links lead there. */
  publicUrl: string
}

/**
 * A view as a document of MCP Apps. It has all that it needs in it, and its own policy lets nothing else in: no
 * request, no other script, no frame and no form.
 */
export function appDocument(
  { name, title }: Pick<View<object>, 'name' | 'title'>,
  parts: AppParts,
): string {
  const { script, publicUrl } = parts
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return html`<!doctype html>
    <html lang="en" data-view="${name}" data-origin="${publicUrl}">
      <head>
        <meta charset="utf-8" />
        <title>${title} - Abode</title>
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <main id="view" tabindex="-1"><p class="state">There is nothing to show yet.</p></main>
        <footer>
          <p id="note" role="status">This needs a host that shows MCP Apps, and scripts.</p>
          <button type="button" class="plain" id="again" hidden>Refresh</button>
        </footer>
        ${new Html(`<script type="module">${script}</script>`)}
      </body>
    </html> `.text
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
