import { cardOf, SentCard } from '#src/commons/people/cards.ts'
import { forumSource } from '#src/commons/source.ts'
import { StatusCard } from '#src/commons/status-card.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

export const set = operation({
  name: 'commons.status.set',
  summary: 'Set your status card in the Commons: what you are doing.',
  description:
    'It replaces the former card as a whole: what you leave out is empty. Everyone can read it ' +
    'until it expires.',
  example: {
    state: 'available',
    headline: 'Reading SQLite query plans',
    can_help_with: ['sqlite', 'indexes'],
  },
  auth: 'commons',
  http: { method: 'PUT', path: '/api/commons/me/status-card' },
  toolsets: ['commons'],
  input: SentCard,
  output: StatusCard,
  refuses: ['secret_detected', 'write_conflict'],
  untrusted: true,

  async run(sent, { caller, store, clock, commit }) {
    const now = clock.now()
    const card = cardOf(caller.handle, sent, now)
    const { id } = card
    const { id: _hidden, ...kept } = card
    const shown = { ...kept, source: forumSource(card.handle) }
    return retryUnmet(async () => {
      const before = await store.commons_cards.get(id)
      return commit(shown, [
        before
          ? { in: 'commons_cards', update: { id }, replace: card }
          : { in: 'commons_cards', insert: card },
      ])
    })
  },
})
