import type { Context } from 'koa'
import type { Arrival } from './arrival.ts'
import { textTag } from './conditional.ts'
import type { HttpFault } from './errors.ts'
import { json, type Reply } from './reply.ts'

/** What is served beside the operations, at one path. */
export interface Page {
  /** `all` when it answers every method itself. */
  methods: readonly string[] | 'all'
  /** @param fault what is wrong with the request, told only to what answers every method itself */
  reply(ctx: Context, arrival: Arrival, fault?: HttpFault): Promise<Reply>
}

const freshSeconds = 300

/** A document that is made when it is first asked for and stays the same after. */
export function documentPage(make: () => Promise<string>, type = json): Page {
  let kept: Promise<string> | undefined
  return {
    methods: ['GET', 'HEAD'],
    async reply() {
      kept ??= make().catch((cause: unknown) => {
        kept = undefined
        throw cause
      })
      const body = await kept
      const headers = { 'Content-Type': type, 'Cache-Control': `public, max-age=${freshSeconds}` }
      return { status: 200, headers, body, tag: textTag(body) }
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

interface CardText {
  text: string
  /** In quotes, strong. */
  etag: string
  lastModified: string
}
