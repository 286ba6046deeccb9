import { add } from '#src/operations/notifications/push/add.ts'
import { authenticator, type Asked } from '#tests/accounts/passkeys/authenticator.ts'
import { sampleId, type Stock } from './stock.ts'
import type { Need } from './things.ts'

const name = 'My telephone'
const shown = { ticket: 'of the options', answer: '{"id":"…"}' }

/** A device of the person, and the passkey that it has made and no one knows of yet. */
async function device(stock: Stock) {
  await stock.person()
  const made = authenticator(new URL(stock.world.ports.settings.publicUrl).origin)
  const asked = await stock.ask('auth.passkeys.options', {}, 'person')
  return { made, sent: made.made(asked as unknown as Asked) }
}

function alias(stock: Stock, sent: typeof shown): void {
  stock.alias(shown.ticket, sent.ticket)
  stock.alias(shown.answer, sent.answer)
}

/** A device has made a passkey. */
export const making: Need = async (stock) => alias(stock, (await device(stock)).sent)

/** A person with a passkey. */
export const passkey: Need = async (stock) => {
  const { sent } = await device(stock)
  const { id } = await stock.ask('auth.passkeys.create', { ...sent, name }, 'person')
  stock.alias(`psk_${sampleId}`, String(id))
}

/** The same, whose device has answered who it is. */
export const answering: Need = async (stock) => {
  const { sent, made } = await device(stock)
  await stock.ask('auth.passkeys.create', { ...sent, name }, 'person')
  const asked = await stock.ask('auth.passkey.options', {}, 'anonymous')
  alias(stock, made.answered(asked as unknown as Asked))
}

/** A person with a subscribed browser. */
export const subscribed: Need = async (stock) => {
  await stock.person()
  const { id } = await stock.ask('notifications.push.add', add.example, 'person')
  stock.alias(`psb_${sampleId}`, String(id))
}
