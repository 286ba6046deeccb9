import { isDeepStrictEqual } from 'node:util'

/** The names of the members by which two documents differ, but for those named besides. */
export function differing(kept: object, wanted: object, besides: ReadonlySet<string>): string[] {
  const [was, is] = [new Map(Object.entries(kept)), new Map(Object.entries(wanted))]
  const names = new Set([...was.keys(), ...is.keys()])
  return [...names].filter(
    (name) => !besides.has(name) && !isDeepStrictEqual(was.get(name), is.get(name)),
  )
}
