import { wantsPage } from '#adapters/http/negotiation.ts'
import type { Page } from '#adapters/http/page.ts'

const root = '/'

/** The pages with the front door at the root address, for browsers; everything else gets the index there. */
export function withFront(
  pages: ReadonlyMap<string, Page>,
  screenAt: (path: string) => Page | undefined,
): ReadonlyMap<string, Page> {
  const [door, index] = [screenAt(root), pages.get(root)]
  if (!door || !index) throw new TypeError('there is no page at the root address')
  return new Map([...pages, [root, frontPage(door, index)]])
}

function frontPage(door: Page, index: Page): Page {
  return {
    methods: door.methods,
    reply(ctx, arrival) {
      const page = ctx.req.method === 'POST' || wantsPage(ctx) ? door : index
      return page.reply(ctx, arrival)
    },
  }
}
