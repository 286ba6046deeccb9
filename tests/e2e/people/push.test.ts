import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { newEmail, registering } from '#tests/accounts/people/page-visitor.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { faultsOf } from '#tests/support/browser/axe.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { startPushService } from '#tests/support/push/service.ts'

const browser = await browserHere()
const patience = 120_000

let server: Serving
let service: Awaited<ReturnType<typeof startPushService>>

describe.skipIf(!browser)('a person whose browser is subscribed', () => {
  beforeAll(async () => {
    service = await startPushService()
    server = await serving(
      { ABODE_RATE_LIMITS: 'off', ABODE_OUTBOUND_ALLOW: service.origin },
      catalog,
    )
  })
  afterAll(async () => {
    await browser?.close()
    await server[Symbol.asyncDispose]()
    service.close()
  })

  /*
   * Chromium reaches no push service here. So the page is given a subscription of a stand-in; the server sends to it,
   * encrypted; and what that decrypts is handed to the worker of the page, as the browser's own connection would.
   */
  it(
    'is shown a notification by a push, which opens the very thing',
    async () => {
      if (!browser) return
      const { subscription, received } = service.browser()
      const context = await browser.newContext()
      await context.grantPermissions(['notifications'], { origin: server.url })
      await context.addInitScript(`PushManager.prototype.subscribe = (options) => {
        globalThis.key = [...options.applicationServerKey]
        return Promise.resolve(${JSON.stringify(subscription)})
      }`)
      const page = await context.newPage()
      const form = new URLSearchParams(registering(newEmail()))
      const headers = { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' }
      await page.request.post(`${server.url}/sign-in`, { headers, data: form.toString() })
      await page.goto(`${server.url}/settings/notifications`)
      expect(await faultsOf(page)).toEqual([])

      await page.getByLabel('Name of this browser').fill('Chromium here')
      await page.getByRole('button', { name: 'Subscribe this browser' }).click()
      await page.getByRole('button', { name: 'Remove Chromium here' }).waitFor()
      expect(await faultsOf(page)).toEqual([])
      const developer = await context.newCDPSession(page)
      const registered = new Promise<string>((resolve) => {
        developer.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
          if (first) resolve(first.registrationId)
        })
      })
      await developer.send('ServiceWorker.enable')
      await page.getByRole('button', { name: 'Notify my browsers' }).click()
      await page.getByText('Chromium here: the test was taken.').waitFor()
      const [push] = received
      expect(push?.payload).toMatchObject({ title: 'A test' })
      const scope = 'navigator.serviceWorker.ready.then(({ scope }) => scope)'
      expect(await page.evaluate(scope)).toBe(`${server.url}/`)

      const run = { title: 'A run failed', text: 'At here', tag: 'one' }
      const address = `${server.url}/runs/run_1`
      const sent = [
        push?.payload,
        { ...run, url: address },
        { ...run, tag: 'two', url: 'https://example.com/' },
      ]
      const registrationId = await registered
      for (const one of sent) {
        const data = JSON.stringify(one)
        const message = { origin: server.url, registrationId, data }
        await developer.send('ServiceWorker.deliverPushMessage', message)
      }
      const shown = () =>
        page.evaluate(`navigator.serviceWorker.ready
          .then((registration) => registration.getNotifications())
          .then((all) => all.map(({ title, tag }) => title + ', ' + tag).sort())`)
      await expect.poll(shown).toEqual(['A run failed, one', 'A run failed, two', 'A test, test'])

      // No one can click what has no screen: the worker is told of clicks, and where it leads is noted.
      const [worker] = context.serviceWorkers()
      const opened = await worker?.evaluate(`(async () => {
        const addresses = []
        clients.openWindow = async (url) => { addresses.push(url) }
        for (const tag of ['one', 'two']) {
          const [notification] = await registration.getNotifications({ tag })
          const click = new NotificationEvent('notificationclick', { notification })
          await new Promise((resolve) => {
            const { openWindow } = clients
            clients.openWindow = (url) => openWindow(url).then(resolve)
            dispatchEvent(click)
          })
        }
        return addresses
      })()`)
      expect(opened).toEqual([address, `${server.url}/needs-you`])
      await expect.poll(shown).toEqual(['A test, test'])

      const other = service.browser()
      const change = JSON.stringify({
        oldSubscription: subscription,
        newSubscription: other.subscription,
      })
      await worker?.evaluate(`(async () => {
        const event = Object.assign(new ExtendableEvent('pushsubscriptionchange'), ${change})
        await new Promise((resolve) => {
          event.waitUntil = (work) => work.then(resolve)
          dispatchEvent(event)
        })
      })()`)
      await page.goto(`${server.url}/settings/notifications`)
      expect(await page.getByRole('button', { name: 'Remove Chromium here' }).count()).toBe(1)
      await page.getByRole('button', { name: 'Notify my browsers' }).click()
      await page.getByText('Chromium here: the test was taken.').waitFor()
      expect([received.length, other.received.length]).toEqual([1, 1])
      await context.close()
    },
    patience,
  )
})
