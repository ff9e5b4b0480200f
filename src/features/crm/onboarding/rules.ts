import { daysBetween, type PlainDate } from '#shared/dates.ts'

/** Pure rules for onboardings, shared by the server and the browser. */

export const onboardingStatuses = { 1: 'In progress', 2: 'On hold', 3: 'Completed' } as const
export const onboardingTones = { 1: 'blue', 2: 'orange', 3: 'green' } as const

/** The tabs of /on-boarding. The stored `tab` of the follow-ups is separate. */
export const onboardingTabs = { in_progress: 1, on_hold: 2, completed: 3 } as const
export type OnboardingTab = keyof typeof onboardingTabs
export const onboardingTabNames = Object.keys(onboardingTabs) as [OnboardingTab, ...OnboardingTab[]]
export const tabNames: Record<OnboardingTab, string> = {
  in_progress: 'In progress',
  on_hold: 'On hold',
  completed: 'Completed',
}
export const isOnboardingTab = (tab: string): tab is OnboardingTab => Object.hasOwn(onboardingTabs, tab)
/** Returns the tab for a status, as stored by the browser after an onboarding is posted. */
export const tabOfStatus = (status: number): OnboardingTab =>
  onboardingTabNames.find((tab) => onboardingTabs[tab] === status) ?? 'in_progress'

/** Returns the number of days spent in a stage, counting the first day as day 1. */
export const dayInStage = (since: PlainDate, today: PlainDate): number =>
  Math.max(1, daysBetween(since, today) + 1)

/** Shown in place of a passcode in the history and the audit log. */
export const maskedPasscode = '••••'

/** Maximum number of recipients of a meeting link. */
export const mostRecipients = 20

/**
 * Returns the step whose meeting link, time, and recipients an email takes: the open step of the current stage.
 * Another stage's link is never sent in its place.
 */
export const stepOfLink = <Step extends { stage: number; completed_status: boolean }>(
  steps: readonly Step[],
  stage: number,
): Step | undefined => steps.find((one) => one.stage === stage && !one.completed_status)
