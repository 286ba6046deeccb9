/**
 * Subscribes the browser of the page to what its person is told, and has the form send what that gives. Where the browser
 * has no pushes, the page says so.
 */
export const pushScript = `(() => {
const form = document.querySelector('[data-push]')
const without = document.querySelector('[data-push-without]')
if (!form || !without) return
if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
  without.textContent = without.dataset.pushWithout
  return
}
without.hidden = true
form.hidden = false
const says = form.querySelector('[data-says]')
const button = form.querySelector('button')
const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
const isSame = (key, other) => key && key.byteLength === other.length && new Uint8Array(key).every((one, nth) => one === other[nth])
const subscribed = async () => {
  const { pushWorker, pushScope, pushKey } = form.dataset
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('Your browser does not let this site show notifications. Allow them in its settings for this site.')
  }
  await navigator.serviceWorker.register(pushWorker, { scope: pushScope })
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = bytesOf(pushKey)
  const before = await pushManager.getSubscription()
  if (before && !isSame(before.options.applicationServerKey, applicationServerKey)) await before.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}
form.addEventListener('submit', (event) => {
  event.preventDefault()
  says.hidden = true
  button.disabled = true
  subscribed().then((subscription) => {
    form.elements.subscription.value = JSON.stringify(subscription)
    form.submit()
  }).catch((fault) => {
    says.textContent = fault.name === 'AbortError' ? 'Your browser does not reach its push service. Try again later.' : fault.message
    says.hidden = false
    button.disabled = false
  })
})
})()
`

/**
 * Shows what a push tells, tells the server where the browser has been given another subscription, and opens the very
 * thing when a notification is clicked: addresses of this service alone.
 */
export const workerScript = `self.addEventListener('push', (event) => {
  let said = {}
  try {
    said = event.data.json()
  } catch {
    // A browser takes away the subscription of a worker that shows nothing.
  }
  const text = (one, other) => typeof one === 'string' && one !== '' ? one : other
  event.waitUntil(self.registration.showNotification(text(said.title, 'Something happened'), {
    body: text(said.text, ''),
    tag: text(said.tag, 'abode'),
    renotify: true,
    icon: new URL('logo.svg', self.registration.scope).href,
    data: { url: text(said.url, '') },
  }))
})
const ownAddress = (text) => {
  const { scope } = self.registration
  const other = new URL('needs-you', scope).href
  try {
    const { origin, href } = new URL(text || other, scope)
    return origin === self.location.origin && href.startsWith(scope) ? href : other
  } catch {
    return other
  }
}
self.addEventListener('pushsubscriptionchange', (event) => {
  const own = new URL('api/account/notifications/push', self.registration.scope)
  const subscribed = async () => {
    const browsers = await fetch(own)
    // Who has signed out is told nothing more.
    if (!browsers.ok) return
    const { application_server_key: applicationServerKey } = await browsers.json()
    const subscription =
      event.newSubscription || (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
    const replaces = event.oldSubscription || undefined
    const headers = { 'content-type': 'application/json' }
    await fetch(own, { method: 'POST', headers, body: JSON.stringify({ subscription, replaces }) })
  }
  event.waitUntil(subscribed())
})
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = ownAddress(event.notification.data && event.notification.data.url)
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const same = open.find((one) => one.url === url)
    if (same) return same.focus()
    return self.clients.openWindow(url)
  })())
})
`
