import type { Answer } from '#src/core/answer.ts'
import { hintFor } from '#src/core/commons/codes.ts'
import { inCommons } from '#src/core/commons/refusals.ts'
import { standingNotice } from '#src/core/commons/notice.ts'
import { saidFaults, type FaultItem, type Refusal } from '#src/core/errors.ts'
import { inWords, type Words } from '#src/core/words/reference.ts'
import {
  errorReply,
  headersOf,
  HttpFault,
  namesInCommons,
  withoutDocument,
  type Asked,
} from './errors.ts'
import { json, type Reply } from './reply.ts'

/** How answers and refusals under an address are worded. */
export interface Wording {
  /** How calls are named. */
  words: Words
  /** @param isList whether the answer ends in the cursor of the next page */
  answer(answer: Answer, requestId: string, isList: boolean): string
  refusal(cause: Refusal | HttpFault, asked: Asked): Reply
}

/**
 * Everywhere but in the Commons: the answer itself, or the error.
 * @param words how calls are named
 */
export function plain(words: Words): Wording {
  return {
    words,
    answer: ({ text }) => text,
    refusal: (cause, asked) => errorReply(cause, asked, words),
  }
}

const root = '/api/commons'

/** Whether an address belongs to the Commons. Its doors have protocols of their own. */
export function isUnderCommons(path: string): boolean {
  return path === root || path.startsWith(`${root}/`)
}

/**
 * Under `/api/commons` every answer has the same envelope, whether it succeeded or not.
 * @param words how calls are named
 * @param publicUrl the public URL of the service, known once it listens
 * @param explained the page for `docs_url`, if no page has a section for each code
 */
export function envelope(words: Words, publicUrl: () => string, explained?: string): Wording {
  return {
    words,
    answer: around,
    refusal(cause, { requestId, document }) {
      const { code, message, errors, hint, members, status } = worded(cause)
      const headers = headersOf(cause)
      const retryAfter = headers['Retry-After']
      const error: CommonsError = {
        code,
        message: inWords(message, words),
        details: detailsOf(errors && withoutDocument(saidFaults(errors, words), document), members),
        retry_after_s: retryAfter === undefined ? null : Number(retryAfter),
        hint: inWords(hint ?? hintFor(code), words),
        docs_url: publicUrl() + (explained ?? `/commons/errors.md#${code}`),
        request_id: requestId,
      }
      return {
        status,
        headers: { 'Content-Type': json, 'Cache-Control': 'no-store', ...headers },
        body: JSON.stringify({ ok: false, data: null, error, notice: standingNotice }),
      }
    },
  }
}

/** The envelope of a refusal: every member is always present. */
interface CommonsError {
  code: string
  message: string
  details: object | null
  retry_after_s: number | null
  hint: string
  docs_url: string
  request_id: string
}

const standing = JSON.stringify(standingNotice)

/** Stored texts may be large, so the envelope is put around the text without parsing it. */
function around({ text, notice }: Answer, requestId: string, isList: boolean): string {
  const { data, cursor } = isList ? parted(text) : { data: text, cursor: '' }
  const said = notice ? JSON.stringify(notice) : standing
  const meta = `{"request_id":${JSON.stringify(requestId)}${cursor}}`
  return `{"ok":true,"data":${data},"error":null,"notice":${said},"meta":${meta}}`
}

const cursorName = ',"next_cursor":'
const cursorMember = /,"next_cursor":(?:null|"[\w-]*")/y

/**
 * Takes the cursor out of a page, where it is the last member or one of the last. Inside a JSON string
 * every quotation mark is escaped, so a match is a real member and never user text.
 */
function parted(text: string): { data: string; cursor: string } {
  const at = text.lastIndexOf(cursorName)
  cursorMember.lastIndex = Math.max(at, 0)
  const cursor = cursorMember.exec(text)?.[0] ?? ''
  if (cursor === '') return { data: text, cursor }
  return { data: text.slice(0, at) + text.slice(at + cursor.length), cursor }
}

interface Worded {
  code: string
  message: string
  status: number
  hint: string | undefined
  errors?: readonly FaultItem[] | undefined
  members?: Readonly<Record<string, unknown>> | undefined
}

function worded(cause: Refusal | HttpFault): Worded {
  if (!(cause instanceof HttpFault)) return inCommons(cause)
  const { message, status, hint } = cause
  return { code: namesInCommons[cause.code], message, status, hint }
}

function detailsOf(
  errors: readonly FaultItem[] | undefined,
  members: Worded['members'],
): object | null {
  return errors || members ? { ...members, ...(errors && { errors }) } : null
}
