import type { Context } from 'koa'
import type { Arrival } from './arrival.ts'
import { textTag, type Tag } from './conditional.ts'
import { credentialOf } from './credentials/bearer.ts'
import type { HttpFault } from './errors.ts'
import { FixedText } from './outlet/fixed-text.ts'
import { json, type Reply } from './reply.ts'

/** What is served alongside the operations, at one path. */
export interface Page {
  /** `all` if it answers every method itself. */
  methods: readonly string[] | 'all'
  /** @param fault what is wrong with the request, passed only to pages that answer every method */
  reply(ctx: Context, arrival: Arrival, fault?: HttpFault): Promise<Reply>
}

/** How long a document may be cached before it is requested again. */
export const freshSeconds = 300

/** A document that is made when first requested and does not change afterwards. */
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

/**
 * A document with variants, one of which a member of the query names.
 * @param whole where it names none
 */
export function variedPage(member: string, variants: ReadonlyMap<string, Page>, whole: Page): Page {
  return {
    methods: whole.methods,
    reply(ctx, arrival) {
      const page = variants.get(String(ctx.query[member])) ?? whole
      return page.reply(ctx, arrival)
    },
  }
}

/** A permanent redirect to that path. */
export function redirectPage(path: () => string): Page {
  return {
    methods: ['GET', 'HEAD'],
    reply() {
      const headers = { Location: path(), 'Cache-Control': `public, max-age=${freshSeconds}` }
      return Promise.resolve({ status: 308, headers })
    },
  }
}

/** An agent card: signed, so it has an ETag of its own, and different for each version. */
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

/** The caller that requests an agent's card, and the version requested. */
interface CardAsked extends Arrival {
  version: string | undefined
  credential: string | undefined
}

/** The card of one hosted agent; that of a private one is only for its account, and not cached. */
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
