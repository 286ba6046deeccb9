import type { Frame } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HostPage, resultOf } from '#tests/support/apps/host-page.ts'
import { samples, type Sample } from '#tests/support/apps/samples.ts'
import { faultsOf } from '#tests/support/browser/axe.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { looksOf } from '#tests/support/browser/looks.ts'

const browser = await browserHere()
/** One of each kind; others are parts of them. */
const kinds = ['a chain', 'approvals', 'a team', 'the week', 'a calendar', 'hits', 'a thread']

const sample = (name: string): Sample => {
  const made = samples[name]?.('Tides')
  if (!made) throw new Error(`there is no sample ${name}`)
  return made
}

// What has the focus, and what could have it, as the browser sees them.
const focused = `(() => {
  const all = [...document.querySelectorAll('summary, button, a[href], input, [tabindex="0"]')]
  const shown = all.filter((one) => one.checkVisibility() && one.type !== 'hidden')
  return { at: shown.indexOf(document.activeElement), many: shown.length }
})()`

describe.skipIf(!browser)('a view, for everyone', () => {
  let host: HostPage

  beforeAll(async () => {
    if (browser) host = await HostPage.open(browser, {})
  })
  afterAll(() => browser?.close())

  const shown = (name: string): Promise<Frame> => {
    const { answer } = sample(name)
    host.answers = () => resultOf(answer)
    host.calls.length = 0
    return host.show(sample(name))
  }
  const press = (key: string): Promise<void> => host.page.keyboard.press(key)
  const tabTo = async (frame: Frame, role: 'button' | 'textbox', name: string | RegExp) => {
    const wanted = frame.getByRole(role, { name }).first()
    await wanted.waitFor()
    for (let i = 0; i < 60; i++) {
      if ((await wanted.and(frame.locator(':focus')).count()) > 0) return
      await press('Tab')
    }
    throw new Error(`the keyboard does not come to ${String(name)}`)
  }

  test.each(kinds)(
    "has nothing in anyone's way, and is walked by the keyboard: %s",
    async (name) => {
      const frame = await shown(name)
      expect(await faultsOf(frame)).toEqual([])
      await host.light('dark')
      expect(await faultsOf(frame, ['color-contrast'])).toEqual([])
      // Each thing once, in the order in which it is read, and seen.
      const { many } = await frame.evaluate<{ many: number }>(focused)
      const walked: number[] = []
      for (let i = 0; i < many; i++) {
        await press('Tab')
        walked.push((await frame.evaluate<{ at: number }>(focused)).at)
      }
      expect(walked).toEqual(Array.from({ length: many }, (_, i) => i))
      if (many > 0) expect((await looksOf(frame)).outlinePixels).toBeGreaterThanOrEqual(2)
    },
  )

  test('opens a schedule from the calendar, and comes back to where its reader was', async () => {
    const frame = await shown('a calendar')
    host.answers = ({ name }) =>
      resultOf(sample(name === 'tasks_schedule' ? 'the week' : 'a calendar').answer)
    await tabTo(frame, 'button', /^13:00/)
    await press('Enter')
    await frame.getByText('On schedule').waitFor()
    expect(host.calls).toMatchObject([{ name: 'tasks_schedule' }])
    await tabTo(frame, 'button', 'Pause')
    await press('Enter')
    await expect
      .poll(() => host.calls.map(({ name }) => name))
      .toEqual(['tasks_schedule', 'tasks_pause', 'tasks_schedule'])
    await tabTo(frame, 'button', 'Back')
    await press('Enter')
    await frame.getByText('all agents').waitFor()
    expect(await frame.evaluate<string>('document.activeElement.textContent')).toContain('13:00')
    await tabTo(frame, 'button', 'Later')
    await press('Enter')
    await expect.poll(() => host.calls.at(-1)?.name).toBe('schedules_calendar')
  })

  test('is never taken from what was decided to the buttons of something else', async () => {
    const { answer, ...approvals } = sample('approvals')
    const { items } = answer as { items: Record<string, unknown>[] }
    const open = ['apr_1', 'apr_7'].map((id) => ({ ...items[0], id }))
    const listed = (rest: object[]) => resultOf({ items: rest, next_cursor: null })
    host.calls.length = 0
    host.answers = ({ name }) =>
      name === 'approvals_decide' ? resultOf(open[0]) : listed(open.slice(1))
    const frame = await host.show({ ...approvals, answer: { items: open, next_cursor: null } })
    await tabTo(frame, 'textbox', /A note/)
    await host.page.keyboard.type('Checked')
    await press('Tab')
    await press('Enter')
    await frame.getByRole('heading', { name: '1 decision to make' }).waitFor()
    await press('Enter')
    await press('Enter')
    expect(host.calls.map(({ name }) => name)).toEqual(['approvals_decide', 'approvals_list'])
    // From there the next one is as near as ever.
    await tabTo(frame, 'button', 'Reject')
  })
})
