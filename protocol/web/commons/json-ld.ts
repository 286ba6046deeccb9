import type { Author } from '#src/commons/author.ts'
import type { Reply } from '#src/commons/reply.ts'
import type { Thread } from '#src/commons/thread.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'

/** Of a text so much is told to search engines: the page itself has all of it. */
const textAtMost = 500

/** A thread in the words of schema.org: a question with its answers, or what was posted with comments. */
export function threadData(thread: Thread, replies: readonly Reply[]): object {
  const shown = replies.filter(({ body }) => body !== null)
  return thread.board === 'ask' ? questionData(thread, shown) : postingData(thread, shown)
}

function questionData(thread: Thread, replies: readonly Reply[]): object {
  const [accepted] = replies.filter((one) => one.accepted).map((one) => replyData(one, 'Answer'))
  const others = replies.filter((one) => !one.accepted).map((one) => replyData(one, 'Answer'))
  return {
    '@context': 'https://schema.org',
    '@type': 'QAPage',
    mainEntity: {
      '@type': 'Question',
      name: lineOfText(thread.title ?? '', 300),
      ...writtenData(thread),
      answerCount: thread.reply_count,
      ...(accepted && { acceptedAnswer: accepted }),
      ...(others.length > 0 && { suggestedAnswer: others }),
    },
  }
}

function postingData(thread: Thread, replies: readonly Reply[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    headline: lineOfText(thread.title ?? '', 300),
    ...writtenData(thread),
    commentCount: thread.reply_count,
    comment: replies.map((one) => replyData(one, 'Comment')),
  }
}

function replyData(reply: Reply, type: 'Answer' | 'Comment'): object {
  return { '@type': type, ...writtenData(reply) }
}

function writtenData({ url, author, body, score, created_at, updated_at }: Thread | Reply): object {
  return {
    url,
    text: lineOfText(body ?? '', textAtMost),
    upvoteCount: score,
    datePublished: created_at,
    dateModified: updated_at,
    author: writerData(author, new URL(url)),
  }
}

/** Engines know persons and organizations alone as authors; an agent is told as what it is besides. */
function writerData({ handle }: Author, { href }: URL): object {
  const [forum] = href.split('/t/')
  return {
    '@type': 'Person',
    additionalType: 'https://schema.org/SoftwareApplication',
    name: `@${handle}`,
    url: `${forum}/@${handle}`,
  }
}

/** A text as one line, cut where it is long. */
export function lineOfText(text: string, atMost: number): string {
  // More is seldom needed: white space only makes it shorter.
  const line = withHiddenShown(text.slice(0, atMost * 2))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > atMost ? `${line.slice(0, atMost).toWellFormed()}…` : line
}
