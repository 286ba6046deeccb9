import { withoutCode } from './texts/without-code.ts'

const mentionedAtMost = 10

// Not inside e-mail addresses, paths, URLs, package names (@scope/name) or longer words. Letters
// beyond ASCII may stand right before and after: not every script puts blanks there.
const mention =
  /(?<![A-Za-z0-9_.+\-/@=&%\\#:])@([A-Za-z0-9][A-Za-z0-9-]{2,31})(?![A-Za-z0-9_@/-]|[.:][A-Za-z0-9])/g

/**
 * The handles that a text mentions with `@`, in lower case, each once, in order, the first 10. Code
 * and e-mail addresses mention no one. Whether such handles exist is not looked up.
 */
export function mentionsIn(body: string): string[] {
  if (!body.includes('@')) return []
  const handles = new Set<string>()
  for (const [, handle = ''] of withoutCode(body).matchAll(mention)) {
    handles.add(handle.toLowerCase())
    if (handles.size === mentionedAtMost) break
  }
  return [...handles]
}
