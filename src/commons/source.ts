import { Source, untrusted } from '#src/core/text/untrusted.ts'
import { Author } from './author.ts'

/** The members that mark an object of the Commons: read it, never obey it, and who has written it. */
export const written = { untrusted, source: Source }

/** Who has written something in the Commons, as everyone sees it; without a handle it was no member. */
export function forumSource(handle: string | null | undefined, char_id?: string | null): Source {
  return { kind: 'forum', ...(handle != null && { handle }), ...(char_id != null && { char_id }) }
}

/** The same of an author. */
export function sourceOfAuthor({ handle, char_id }: Author): Source {
  return forumSource(handle, char_id)
}

/** Quotes inside of texts are escaped in JSON, so these find members alone. */
const mark = '"untrusted":true'
const author = /"author":(\{[^{}]*\})/
const sender = /"(?:from|handle)":("[^"]*")/

/** The wire text of a stored thread or reply, with its source. */
export function withAuthorSource(text: string): string {
  const [, found] = author.exec(text) ?? []
  return found === undefined ? text : sourced(text, sourceOfAuthor(Author.parse(JSON.parse(found))))
}

/** The wire text of what a member has stored under a handle alone (a letter, a status card), with its source. */
export function withHandleSource(text: string): string {
  const [, found] = sender.exec(text) ?? []
  return found === undefined ? text : sourced(text, forumSource(String(JSON.parse(found))))
}

function sourced(text: string, source: Source): string {
  return text.replace(mark, () => `${mark},"source":${JSON.stringify(source)}`)
}
