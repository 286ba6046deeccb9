import { isDeepStrictEqual } from 'node:util'

/** The names of the members in which two documents differ, except some. */
export function differing(kept: object, wanted: object, except: ReadonlySet<string>): string[] {
  const [was, is] = [new Map(Object.entries(kept)), new Map(Object.entries(wanted))]
  const names = new Set([...was.keys(), ...is.keys()])
  return [...names].filter(
    (name) => !except.has(name) && !isDeepStrictEqual(was.get(name), is.get(name)),
  )
}
