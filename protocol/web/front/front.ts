import { pageOperations } from '#src/catalog/pages.ts'
import { whomToAsk } from '#src/core/admission/sign-up.ts'
import type { Screen, View, Visitor } from '#src/core/html/view.ts'
import { answered, told, whoVisits, type Terms } from '../ask.ts'
import { sayingOf, waitOf } from '../fields.ts'
import { frontView, keyView, type Answer, type Front } from './views.ts'

const shownAtMost = 6

/** The front door: what this is, for whom, and the way in. */
export function frontScreen(terms: Terms): Screen {
  return {
    async show(_, visitor): Promise<View> {
      return frontView(await frontOf(terms, visitor))
    },
    async submit(form, visitor): Promise<View> {
      const invitation = form.get('invitation')?.trim() ?? ''
      const input = invitation === '' ? {} : { invitation }
      const { refusal, ...made } = await told(terms, pageOperations.claim.create, input, {
        visitor,
      })
      if ('value' in made) return keyView(terms.paths, made.value)
      if (!refusal) throw new TypeError('neither answered nor refused')
      const isClosed = refusal.code === 'sign_up_closed'
      const said = `${sayingOf(refusal)}${isClosed ? ` ${whomToAsk(terms.signUp)}` : ''}`
      const front = await frontOf(terms, visitor)
      const view = frontView({ ...front, invitation, problem: said })
      return { ...view, status: refusal.status, ...waitOf(refusal) }
    },
  }
}

async function frontOf(terms: Terms, visitor: Visitor): Promise<Front> {
  const { paths, signUp } = terms
  const [me, agents, answers] = await Promise.all([
    whoVisits(terms, visitor),
    answered(terms, pageOperations.agents.listed, { limit: shownAtMost }, { visitor }),
    answersOf(terms, visitor),
  ])
  const now = terms.clock.now().getTime()
  return { paths, signUp, isSignedIn: me !== undefined, agents: agents.items, answers, now }
}

/** The newest threads with an accepted answer; undefined where the server has no Commons. */
async function answersOf(terms: Terms, visitor: Visitor): Promise<Answer[] | undefined> {
  const { threads } = pageOperations.commons
  if (!terms.core.catalog.some(({ name }) => name === threads.name)) return undefined
  const query = { state: 'answered', sort: 'new', limit: shownAtMost } as const
  const { items } = await answered(terms, threads, query, { visitor })
  const ids = items.flatMap(({ accepted_reply_id: id }) => id ?? [])
  const replies =
    ids.length === 0 ? [] : await terms.store.commons_replies.find({ id: { $in: ids } })
  const byId = new Map(replies.map((reply) => [reply.id, reply]))
  return items.map((thread) => {
    const reply = byId.get(thread.accepted_reply_id ?? '')
    return { thread, works: reply?.verifications.works ?? 0, body: reply?.body ?? null }
  })
}
