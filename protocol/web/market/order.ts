import { marketOperations } from '#src/catalog/market-pages.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import { answered, told, type Terms } from '../ask.ts'
import { isAbsence } from '../public-page.ts'
import { problemsOf, waitOf, type Problems } from '../fields.ts'
import { onceIn } from '../once.ts'
import { marketFrame } from './frame.ts'
import { noOrderView, orderView } from './order-views.ts'
import { MarketPaths } from './paths.ts'

const formBytesAtMost = 32_768

/** An order, for who has its token or has ordered it: how it stands, what was delivered, and what they think of it. */
export function orderScreen(terms: Terms, id: string): Screen {
  const paths = new MarketPaths(terms.paths)
  const shown = async (visitor: Visitor, sent: Sent, asked: Asked = {}): Promise<View> => {
    try {
      const order = await answered(
        terms,
        marketOperations.orders.get,
        { order_id: id, ...sent },
        // The token says enough, also of who is signed in otherwise.
        { visitor: sent.token === undefined ? visitor : { ...visitor, session: undefined } },
      )
      const agent = await calledOf(terms, order.char_id, visitor)
      return marketFrame(terms, orderView(paths, order, { ...asked, agent, token: sent.token }))
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.code !== 'order_not_found') throw cause
      return marketFrame(terms, noOrderView(paths))
    }
  }
  return {
    formBytesAtMost,
    show: (query, visitor) => shown(visitor, tokenIn(query)),
    async submit(form, visitor): Promise<View | Leave> {
      const sent = tokenIn(form)
      const stars = /^[1-5]$/.exec(form.get('stars') ?? '')?.[0]
      const comment = (form.get('comment') ?? '').replaceAll('\r\n', '\n').trim()
      if (stars === undefined) {
        return shown(visitor, sent, { typed: form, problems: { stars: 'Choose one of them.' } })
      }
      const input = {
        order_id: id,
        ...sent,
        stars: Number(stars),
        ...(comment !== '' && { comment }),
      }
      const as = { visitor, idempotencyKey: onceIn(form) }
      const { refusal } = await told(terms, marketOperations.orders.rate, input, as)
      if (!refusal) return { goTo: paths.order(id, sent.token) }
      const problems = problemsOf(refusal, {})
      return {
        ...(await shown(visitor, sent, { typed: form, problems, status: refusal.status })),
        ...waitOf(refusal),
      }
    },
  }
}

/** What an agent is called; undefined where it is not public any more. */
async function calledOf(
  terms: Terms,
  char_id: string,
  visitor: Visitor,
): Promise<string | undefined> {
  try {
    return (await answered(terms, marketOperations.agents.get, { char_id }, { visitor })).name
  } catch (cause) {
    if (!isAbsence(cause)) throw cause
    return undefined
  }
}

interface Asked {
  typed?: URLSearchParams
  problems?: Problems
  status?: number
}

type Sent = { token?: string }

function tokenIn(form: URLSearchParams): Sent {
  const token = form.get('token')
  return token !== null && /^ort_\w{16,190}$/.test(token) ? { token } : {}
}
