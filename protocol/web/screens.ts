import { redirectPath } from '#src/agents/connections/client.ts'
import { signInReturnPath } from '#src/accounts/people/attempt.ts'
import type { Screen } from '#src/core/html/view.ts'
import { agentScreenAt } from './agents/screens.ts'
import { approvalScreen } from './approvals/approval.ts'
import { consoleScreen } from './console/screen.ts'
import { frontScreen } from './front/front.ts'
import { accountScreen } from './home/account.ts'
import { welcomeScreen } from './home/welcome.ts'
import { homeScreen } from './home/home.ts'
import type { Terms } from './ask.ts'
import { forumScreens } from './commons/screens.ts'
import { claimScreen } from './claims/claim.ts'
import { connectReturnScreen } from './connect/connect-return.ts'
import { connectScreen } from './connect/connect.ts'
import { joinScreen } from './members/join.ts'
import {
  approvalIn,
  claimCodeIn,
  connectionIn,
  joinCodeIn,
  pathsHere,
  resetCodeIn,
  verifyCodeIn,
} from './paths.ts'
import { marketScreenAt } from './market/screens.ts'
import { needsScreen } from './needs/needs.ts'
import { providerReturnScreen, providerScreen } from './provider/screens.ts'
import { runScreenAt } from './runs/screens.ts'
import { scheduleScreen } from './schedule/schedule.ts'
import { spendScreen } from './spend/spend.ts'
import { notificationScreen } from './notifications/notifications.ts'
import { unsubscribeCodeIn, unsubscribeScreen } from './notifications/unsubscribe.ts'
import { securityScreen } from './security/security.ts'
import { exportScreen } from './settings/export.ts'
import { leaveScreen } from './settings/leave.ts'
import { settingsScreen } from './settings/settings.ts'
import { forgotScreen } from './entry/forgot.ts'
import { resetScreen } from './entry/reset.ts'
import { signInScreen } from './entry/sign-in.ts'
import { teamScreenAt } from './teams/screens.ts'
import { verifyScreen } from './entry/verify.ts'
import { signOutScreen } from './entry/sign-out.ts'

/** The pages for persons at their paths; undefined for any other path. */
export function peopleScreens(terms: Terms): (path: string) => Screen | undefined {
  const fixed = new Map<string, Screen>([
    [pathsHere.signIn, signInScreen(terms)],
    [pathsHere.signInWith, providerScreen(terms)],
    [signInReturnPath, providerReturnScreen(terms)],
    [pathsHere.forgot, forgotScreen(terms)],
    [pathsHere.signOut, signOutScreen(terms)],
    [pathsHere.settings, settingsScreen(terms)],
    [pathsHere.security, consoleScreen(terms, securityScreen(terms))],
    [pathsHere.notifications, consoleScreen(terms, notificationScreen(terms))],
    [pathsHere.leave, leaveScreen(terms)],
    [pathsHere.export, exportScreen(terms)],
    [redirectPath, connectReturnScreen(terms)],
    [pathsHere.front, frontScreen(terms)],
    [pathsHere.schedule, consoleScreen(terms, scheduleScreen(terms))],
    [pathsHere.needs, consoleScreen(terms, needsScreen(terms))],
    [pathsHere.spend, consoleScreen(terms, spendScreen(terms))],
    [pathsHere.home, consoleScreen(terms, homeScreen(terms))],
    [pathsHere.welcome, consoleScreen(terms, welcomeScreen(terms))],
    [pathsHere.account, consoleScreen(terms, accountScreen(terms))],
  ])
  const forumScreenAt = forumScreens(terms)
  return (path) => {
    const code = claimCodeIn(path)
    if (code !== undefined) return claimScreen(terms, code)
    const invitation = joinCodeIn(path)
    if (invitation !== undefined) return joinScreen(terms, invitation)
    const reset = resetCodeIn(path)
    if (reset !== undefined) return resetScreen(terms, reset)
    const verified = verifyCodeIn(path)
    if (verified !== undefined) return verifyScreen(terms, verified)
    const ended = unsubscribeCodeIn(path)
    if (ended !== undefined) return unsubscribeScreen(terms, ended)
    const connection = connectionIn(path)
    if (connection !== undefined) return connectScreen(terms, connection)
    const approval = approvalIn(path)
    if (approval !== undefined) return consoleScreen(terms, approvalScreen(terms, approval))
    return (
      fixed.get(path) ??
      agentScreenAt(terms, path) ??
      teamScreenAt(terms, path) ??
      runScreenAt(terms, path) ??
      marketScreenAt(terms, path) ??
      forumScreenAt(path)
    )
  }
}
