import type { Context } from 'koa'
import type { Arrival } from './arrival.ts'
import { textTag, type Tag } from './conditional.ts'
import { credentialOf } from './credentials/bearer.ts'
import type { HttpFault } from './errors.ts'
import { FixedText } from './fixed-text.ts'
import { json, type Reply } from './reply.ts'

/** What is served beside the operations, at one path. */
export interface Page {
  /** `all` when it answers every method itself. */
  methods: readonly string[] | 'all'
  /** @param fault what is wrong with the request, told only to what answers every method itself */
  reply(ctx: Context, arrival: Arrival, fault?: HttpFault): Promise<Reply>
}

/** How long a document may be kept before it is asked for again. */
export const freshSeconds = 300

/** A document that is made when it is first asked for and stays the same after. */
export function documentPage(
  make: () => Promise<string>,
  type = json,
  more = (): Record<string, string> => ({}),
): Page {
  let kept: Promise<{ body: FixedText; tag: Tag }> | undefined
  return {
    methods: ['GET', 'HEAD'],
    async reply() {
      kept ??= make()
        .then(fixed)
        .catch((cause: unknown) => {
          kept = undefined
          throw cause
        })
      const { body, tag } = await kept
      const kind = { 'Content-Type': type, 'Cache-Control': `public, max-age=${freshSeconds}` }
      return { status: 200, headers: { ...kind, ...more() }, body, tag }
    },
  }
}

function fixed(text: string): { body: FixedText; tag: Tag } {
  return { body: new FixedText(text), tag: textTag(text) }
}

/** Another address of what stands at that path, for good. */
export function redirectPage(path: () => string): Page {
  return {
    methods: ['GET', 'HEAD'],
    reply() {
      const headers = { Location: path(), 'Cache-Control': `public, max-age=${freshSeconds}` }
      return Promise.resolve({ status: 308, headers })
    },
  }
}

/** A card of an agent: signed, so that its own tag stands for it, and different for each version. */
export function cardPage(card: (version: string | undefined) => Promise<CardText>): Page {
  return {
    methods: ['GET', 'HEAD'],
    async reply({ req }) {
      const { text, etag, lastModified } = await card(req.headers['a2a-version']?.toString())
      return {
        status: 200,
        headers: {
          'Content-Type': json,
          'Cache-Control': `public, max-age=${freshSeconds}`,
          'Last-Modified': lastModified,
          Vary: 'A2A-Version',
        },
        body: text,
        tag: { value: etag.replaceAll('"', ''), weak: false },
      }
    },
  }
}

/** Whoever asks for the card of an agent, and in the form of which version. */
interface CardAsked extends Arrival {
  version: string | undefined
  credential: string | undefined
}

/** The card of one hosted agent; that of a private one is for its account alone, and for no cache. */
export function agentCardPage(
  card: (asked: CardAsked) => Promise<CardText & { isPrivate: boolean }>,
): Page {
  return {
    methods: ['GET', 'HEAD'],
    async reply(ctx, arrival) {
      const credential = credentialOf(ctx.req)
      let isPrivate = false
      const page = cardPage(async (version) => {
        const found = await card({ ...arrival, version, credential })
        isPrivate = found.isPrivate
        return found
      })
      const reply = await page.reply(ctx, arrival)
      if (isPrivate) Object.assign(reply.headers, { 'Cache-Control': 'private, no-cache' })
      return { ...reply, headers: { ...reply.headers, Vary: 'A2A-Version, Authorization' } }
    },
  }
}

interface CardText {
  text: string
  /** In quotes, strong. */
  etag: string
  lastModified: string
}
