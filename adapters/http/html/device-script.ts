/**
 * Shows what there is for passkeys where the browser has them, asks the device when it is used, and has the form send
 * what that says. Without it every page works by passwords.
 */
export const deviceScript = `(() => {
const library = window.SimpleWebAuthnBrowser
if (!library.browserSupportsWebAuthn()) return
const ask = async (path, body) => {
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const said = await answer.json()
  if (!answer.ok) throw new Error(said.detail)
  return said
}
const answered = async ({ options }, isNew) => {
  const { ticket, options: optionsJSON } = await ask(options, {})
  const made = await (isNew ? library.startRegistration({ optionsJSON }) : library.startAuthentication({ optionsJSON }))
  return { ticket, answer: JSON.stringify(made) }
}
const words = {
  NotAllowedError: 'Your device has not answered. Try again.',
  InvalidStateError: 'This device has a passkey for this service already.',
}
const use = async (place, work) => {
  const says = place.querySelector('[data-says]')
  const buttons = place.querySelectorAll('button')
  says.hidden = true
  for (const button of buttons) button.disabled = true
  try {
    await work()
  } catch (fault) {
    says.textContent = words[fault.name] || fault.message
    says.hidden = false
  }
  for (const button of buttons) button.disabled = false
}
const fill = (form, brought) => {
  const fields = form.elements
  const action = document.createElement('input')
  Object.assign(action, { type: 'hidden', name: 'action', value: form.querySelector('button').value })
  form.append(action)
  fields.ticket.value = brought.ticket
  fields.answer.value = brought.answer
  form.submit()
}
const kinds = {
  enter: (form) => use(form, async () => fill(form, await answered(form.dataset, false))),
  make: (form) => use(form, async () => {
    const field = form.elements.key_password
    if (field && field.value !== '') await ask(form.dataset.confirm, { password: field.value })
    const brought = await answered(form.dataset, true)
    if (field) field.value = ''
    fill(form, brought)
  }),
  confirm: (place) => use(place, async () => {
    await ask(place.dataset.confirm, { passkey: await answered(place.dataset, false) })
    place.querySelector('[data-done]').hidden = false
  }),
}
for (const place of document.querySelectorAll('[data-passkey]')) {
  const { passkey: kind } = place.dataset
  place.hidden = false
  place.addEventListener(kind === 'confirm' ? 'click' : 'submit', (event) => {
    if (kind === 'confirm' && !event.target.closest('button')) return
    event.preventDefault()
    void kinds[kind](place)
  })
}
})()
`
