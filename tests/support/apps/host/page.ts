// The page of a host: a frame with a view in it, and the official bridge to it.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

type Capabilities = ConstructorParameters<typeof AppBridge>[2]
type Context = NonNullable<ConstructorParameters<typeof AppBridge>[3]>['hostContext']
type Result = Parameters<AppBridge['sendToolResult']>[0]

/** What a host shows. */
export interface Shown {
  html: string
  input: Record<string, unknown>
  result: Result
  capabilities: Capabilities
  context: Context
}

declare global {
  interface Window {
    /** Shows a view as a host does, and hands it the answer of the tool. */
    showView: (shown: Shown) => Promise<void>
    /** Tells the view that something around it has changed. */
    changeContext: (context: Context) => Promise<void> | void
    /** What the host does for a view; the test says it. */
    callTool: (params: { name: string; arguments?: Record<string, unknown> }) => Promise<Result>
    openLink: (url: string) => Promise<Record<string, unknown>>
  }
}

window.showView = async ({ html, input, result, capabilities, context }) => {
  const frame = document.createElement('iframe')
  frame.title = 'The view'
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.srcdoc = html
  const host = { name: 'test', version: '1' }
  const bridge = new AppBridge(null, host, capabilities, { hostContext: context })
  bridge.oncalltool = (params) => window.callTool(params)
  bridge.onopenlink = ({ url }) => window.openLink(url)
  bridge.onsizechange = ({ height }) => {
    frame.style.height = `${height ?? 0}px`
  }
  const begun = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve()
  })
  document.body.replaceChildren(frame)
  const view = frame.contentWindow
  if (!view) throw new Error('the frame is not shown')
  await bridge.connect(new PostMessageTransport(view, view))
  await begun
  window.changeContext = (changed) => bridge.sendHostContextChange(changed ?? {})
  await bridge.sendToolInput({ arguments: input })
  await bridge.sendToolResult(result)
}
