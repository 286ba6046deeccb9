import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { logo } from '#src/core/html/mark.ts'
import { openOrigins } from '../cors.ts'
import { documentPage, type Page } from '../page.ts'
import { deviceScript } from './device-script.ts'
import { pushScript, workerScript } from './push-scripts.ts'

/** The sign of the service, as the icon of its pages. */
export const iconPath = '/logo.svg'
/** The script of pages with live parts. */
export const scriptPath = '/assets/live.js'

/** The script of pages that ask devices for passkeys. */
export const passkeyPath = '/assets/passkeys.js'

/** The script of the page that subscribes its browser to what a person is told. */
export const pushPath = '/assets/push.js'
/** What shows that in the browser: at the root, as a worker is for the pages below its own address alone. */
export const workerPath = '/push-worker.js'

const script = 'text/javascript; charset=utf-8'
const svg = 'image/svg+xml; charset=utf-8'

/** Tells the server by whose clocks its pages show times, from the next page on. */
const zoneScript = `(function(){var zone=Intl.DateTimeFormat().resolvedOptions().timeZone;
if(zone)document.cookie='abode_zone='+encodeURIComponent(zone)+';path=/;max-age=31536000;samesite=lax'})();
`

/** What pages load besides themselves. */
export function assetPages(): [path: string, Page][] {
  return [
    [scriptPath, documentPage(liveScript, script)],
    [passkeyPath, documentPage(passkeyScript, script)],
    [pushPath, documentPage(() => Promise.resolve(pushScript), script)],
    [workerPath, workerPage()],
    [iconPath, documentPage(() => Promise.resolve(logo), svg)],
    // Browsers ask for this one where nothing tells them of another, and take the type that is sent.
    ['/favicon.ico', documentPage(() => Promise.resolve(logo), svg)],
  ]
}

/** A worker may ask for no more than the policy of its script allows. */
function workerPage(): Page {
  const policy = "default-src 'none'; connect-src 'self'"
  const page = documentPage(
    () => Promise.resolve(workerScript),
    script,
    () => ({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      ...openOrigins,
    }),
  )
  const { methods } = page
  return {
    methods,
    reply: async (ctx, arrival) => ({ ...(await page.reply(ctx, arrival)), ownPolicy: true }),
  }
}

/** The library of live parts with its streams of events, as its package has them, and ours. */
async function liveScript(): Promise<string> {
  const { resolve } = createRequire(import.meta.url)
  const files = ['htmx.org/dist/htmx.min.js', 'htmx.org/dist/ext/hx-sse.min.js']
  const texts = await Promise.all(files.map((file) => readFile(resolve(file), 'utf8')))
  return [...texts, zoneScript].join(';\n')
}

/** The library that asks devices for passkeys, as its package has it, and what our forms do with it. */
async function passkeyScript(): Promise<string> {
  const name = '@simplewebauthn/browser'
  const entry = createRequire(import.meta.url).resolve(name)
  // The package names its entries alone, and not the script for pages in the same folder.
  const folder = entry.slice(0, entry.lastIndexOf(name) + name.length)
  const library = await readFile(join(folder, 'dist', 'bundle', 'index.umd.min.js'), 'utf8')
  return [library, deviceScript].join(';\n')
}
