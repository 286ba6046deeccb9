import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser of this machine; undefined where there is none. */
function browserPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * A browser as people have one; undefined, said on standard error, where this machine has none. In CI
 * that is a failure: there pages must be tested.
 */
export async function browserHere(): Promise<Browser | undefined> {
  const executablePath = browserPath()
  if (executablePath === undefined) {
    const reason = 'pages are not tested here: there is no chromium in PATH'
    if (process.env['CI']) throw new Error(reason)
    process.stderr.write(`${reason}\n`)
    return undefined
  }
  const { chromium } = await import('playwright-core')
  // Chromium refuses its sandbox to root; what it is shown is ours.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}
