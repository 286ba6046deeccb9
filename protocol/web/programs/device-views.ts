import { html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'

/** A form of the authorization server: where it is sent, and the secret of the browser that it was shown. */
interface DeviceForm {
  action: string
  secret: string
}

const problems: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter the code that your device shows.',
  NotFoundError: 'There is no such code. Check it, and enter it again.',
  ExpiredError: 'This code has expired. Begin again on the device.',
  AlreadyUsedError: 'This code was used already. Begin again on the device.',
  AbortedError: 'The device was refused. Nothing was connected.',
}

/** The page on which a person enters the code that their device shows. @param error by its name */
export function code({ action, secret }: DeviceForm, error?: string): View {
  const problem = error === undefined ? undefined : (problems[error] ?? 'Enter the code again.')
  const main = html`<section class="card" aria-label="Connect a device">
    <form method="post" action="${action}" novalidate>
      ${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
      <input type="hidden" name="xsrf" value="${secret}" />
      <p class="field">
        <label for="user_code">Code on your device</label>
        <input
          id="user_code"
          name="user_code"
          type="text"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="40"
          required
        />
      </p>
      <button class="main">Go on</button>
    </form>
  </section>`
  return { status: problem === undefined ? 200 : 422, title: 'Connect a device', main }
}

/** The page on which a person compares the code. */
export function confirm({ action, secret }: DeviceForm, name: string, code: string): View {
  const main = html`<section class="card" aria-label="Compare the code">
    <p>A program that calls itself “${name}” asks. Its device must show this code:</p>
    <p><strong>${code}</strong></p>
    <p>If you did not begin this on a device of your own, refuse it.</p>
    <form method="post" action="${action}">
      <input type="hidden" name="xsrf" value="${secret}" />
      <input type="hidden" name="user_code" value="${code}" />
      <button class="main" name="confirm" value="yes">It is the same code</button>
      <button name="abort" value="yes">Refuse</button>
    </form>
  </section>`
  return { status: 200, title: 'Compare the code', main }
}

/** The page at the end. */
export function connected(): View {
  const main = html`<p>The device is connected. You may close this page.</p>`
  return { status: 200, title: 'Connected', main }
}

/** The page in place of a request that cannot be carried out. @param back where the program waits to be told */
export function failed(reason: string, status: number, back?: string): View {
  const main = html`<p>The program asked in a way that cannot be answered: ${reason}.</p>
    <p>Nothing was connected. Begin again in the program.</p>
    ${
      back !== undefined &&
      html`<p class="soft">
        It can be told so by <a href="${back}" rel="noreferrer">going back to ${hostOf(back)}</a>.
        No one has verified whose site that is: leave it, if you did not come from there.
      </p>`
    }`
  return { status: status >= 400 ? status : 400, title: 'That did not work', main }
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address
}
