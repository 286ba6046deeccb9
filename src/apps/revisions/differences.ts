import { isDeepStrictEqual } from 'node:util'

/** The names of the members in which two documents differ, except some. */
export function differing(kept: object, wanted: object, except: ReadonlySet<string>): string[] {
  const added = Object.keys(wanted).filter((name) => !Object.hasOwn(kept, name))
  return [...Object.keys(kept), ...added].filter((name) => {
    if (except.has(name)) return false
    const [was, is] = [ownMember(kept, name), ownMember(wanted, name)]
    // An app has thousands of members, and most are as they were.
    return !Object.is(was, is) && !isDeepStrictEqual(was, is)
  })
}

function ownMember(document: object, name: string): unknown {
  return Object.hasOwn(document, name) ? Reflect.get(document, name) : undefined
}
