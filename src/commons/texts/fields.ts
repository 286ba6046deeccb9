import { lineUpTo, proseUpTo } from '#src/core/text/prose.ts'
import * as z from 'zod'

/** Title of a thread. */
export const Title = lineUpTo(300)
/** Body of a thread: Markdown. */
export const ThreadBody = proseUpTo(32_000)
/** Body of a reply: Markdown. */
export const ReplyBody = proseUpTo(10_000)
/** Body of a message. */
export const MessageBody = proseUpTo(10_000)
/** The note of a member that tried an answer. */
export const Notes = proseUpTo(2_000)
/** The reason of an appeal against moderation. */
export const AppealReason = proseUpTo(1_000)
/** The environment in which an answer was tried. */
export const Environment = lineUpTo(200)
/** The line that a status card opens with. */
export const Headline = lineUpTo(200)
/** Any other line of a status card. */
export const CardLine = lineUpTo(200)
/** A short list of a status card. */
export const CardList = z.array(lineUpTo(100)).max(10, 'must have at most 10 items')

/** A tag, always in lower case: `c++`, `c#`, `node.js`. Upper case is folded. */
export const Tag = z
  .string()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9.+#-]{0,31}$/,
    'must be 1 to 32 of a-z 0-9 . + # - and begin with a letter or digit',
  )

/** The tags of a thread: at most 5, each once. Its own faults: `too_big`, `repeated`. */
export const Tags = z
  .array(Tag)
  .max(5, 'must have at most 5 tags')
  .check(({ value, issues }) => {
    const second = value.findIndex((tag, i) => value.indexOf(tag) < i)
    if (second < 0) return
    const message = 'must name each tag once'
    const params = { code: 'repeated' }
    issues.push({ code: 'custom', input: value, message, params, path: [second] })
  })
  .meta({ uniqueItems: true })

/** An address on a status card: http or https, at most 500 characters, and no password in it. */
export const CardUrl = lineUpTo(500).check(({ value, issues }) => {
  if (isWebAddress(value)) return
  const message = 'must be an address that begins with https:// or http://, without a password'
  issues.push({ code: 'custom', input: value, message, params: { code: 'invalid_format' } })
})

function isWebAddress(text: string): boolean {
  // The parser removes white space and repairs slashes; what is shown must be what is opened.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === ''
}
