import { readFileSync } from 'node:fs'
import { nearest } from '#src/core/input/nearest.ts'

type Env = Readonly<Record<string, string | undefined>>

const prefix = 'ABODE_'
const suffix = '_FILE'
// Read by the tests, the demo and the MCP relay, which may pass their environment on to a server.
const ignored = new Set(['ABODE_SKIP_MONGODB', 'ABODE_DEMO_URL', 'ABODE_INVITATION'])

/**
 * An environment in which each secret that a file holds stands under its own name, as its text without the last
 * line break. @param faults takes what is wrong with the files, never with a word of what they hold
 */
export function withSecretFiles(env: Env, secrets: readonly string[], faults: string[]): Env {
  const read: Record<string, string> = {}
  for (const name of secrets) {
    const path = env[name + suffix]
    if (path === undefined) continue
    if (env[name] !== undefined) {
      faults.push(`${name} and ${name + suffix} are both set: leave one of them out`)
      continue
    }
    try {
      read[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no text'
      faults.push(`${name + suffix} must be the path of a file that can be read (${code})`)
      // Else it would also count as missing where another setting needs it.
      read[name] = unreadable
    }
  }
  return { ...env, ...read }
}

/** Stands for the text of a file that could not be read, which is told already. */
export const unreadable = '\0'

/** One line for each name that begins as a setting does and is none. */
export function unknownNames(
  env: Env,
  settings: readonly string[],
  secrets: readonly string[],
): string[] {
  const files = secrets.map((name) => name + suffix)
  const known = [...settings, ...files].filter((name) => name.startsWith(prefix))
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] !== undefined)
    .filter((name) => !known.includes(name) && !ignored.has(name))
    .map((name) => {
      const rests = known.map((other) => other.slice(prefix.length))
      const meant = nearest(name.slice(prefix.length), rests)
      const hint = meant === undefined ? '' : `; did you mean ${prefix}${meant}?`
      return `${name} is not a setting${hint}`
    })
}
