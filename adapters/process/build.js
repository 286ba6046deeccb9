// JavaScript, so that a start from the build need not load Node's type stripper.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The files that a build is made of.
 * @typedef {object} Sources
 * @property {number} files how many modules there are
 * @property {number} newest when the newest of them was written, in milliseconds since 1970
 */

/**
 * What says which build is the current one.
 * @typedef {object} BuildRecord
 * @property {string} id the name of its folder
 * @property {number} files how many modules it was made of
 * @property {number} began when it began to read them, in milliseconds since 1970
 */

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** Where builds are, each in a folder of its own: a process keeps the one that it has begun with. */
export const builds = join(root, 'dist')
/** Names the current build. It is replaced at once, when all of the build is there. */
export const recordPath = join(builds, 'build.json')
/** The folders whose files a build is made of. */
export const sourceFolders = ['src', 'protocol', 'adapters', 'examples/demo']

/**
 * The file that a source becomes the entry of, in the folder of a build.
 * @param {string} source its path below the root, such as `adapters/main.ts`
 */
export function builtName(source) {
  return `${source.replace(/\.ts$/, '').replaceAll('/', '-')}.js`
}

/**
 * The sources as they are now; none of them in a package that has only the build.
 * @returns {Sources}
 */
export function sourcesNow() {
  const sources = { files: 0, newest: 0 }
  for (const folder of sourceFolders) look(join(root, folder), sources)
  return sources
}

/**
 * @param {string} folder
 * @param {Sources} sources is added to
 */
function look(folder, sources) {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) look(path, sources)
    else if (/\.(?:ts|json)$/.test(entry.name)) {
      if (entry.name.endsWith('.ts')) sources.files += 1
      sources.newest = Math.max(sources.newest, statSync(path).mtimeMs)
    }
  }
}

/**
 * The folder of the current build; undefined where there is none, or a source was added, removed or
 * changed since.
 * @returns {string | undefined}
 */
export function freshBuild() {
  const record = recordOf()
  if (!record) return undefined
  const { files, newest } = sourcesNow()
  const isFresh = files === 0 || (files === record.files && newest < record.began)
  return isFresh ? join(builds, record.id) : undefined
}

/** @returns {BuildRecord | undefined} */
function recordOf() {
  try {
    const { id, files, began } = JSON.parse(readFileSync(recordPath, 'utf8'))
    const isWhole = /^[0-9a-f]{16}$/.test(id) && Number.isInteger(files) && Number.isFinite(began)
    return isWhole ? { id, files, began } : undefined
  } catch {
    // There is none, or it is damaged.
    return undefined
  }
}
