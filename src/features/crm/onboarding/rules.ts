import { daysBetween, type PlainDate } from '#shared/dates.ts'

/** Pure rules of onboardings, shared by server and browser. */

export const onboardingStatuses = { 1: 'In progress', 2: 'On hold', 3: 'Completed' } as const
export const onboardingTones = { 1: 'blue', 2: 'orange', 3: 'green' } as const

/** The tabs of /on-boarding; the stored `tab` of the follow-ups is a different one. */
export const onboardingTabs = { in_progress: 1, on_hold: 2, completed: 3 } as const
export type OnboardingTab = keyof typeof onboardingTabs
export const onboardingTabNames = Object.keys(onboardingTabs) as [OnboardingTab, ...OnboardingTab[]]
export const tabNames: Record<OnboardingTab, string> = {
  in_progress: 'In progress',
  on_hold: 'On hold',
  completed: 'Completed',
}
export const isOnboardingTab = (tab: string): tab is OnboardingTab => Object.hasOwn(onboardingTabs, tab)
/** Returns the tab of a status, as the browser stores it for a posted onboarding. */
export const tabOfStatus = (status: number): OnboardingTab =>
  onboardingTabNames.find((tab) => onboardingTabs[tab] === status) ?? 'in_progress'

/** Counts the days in a stage; the first is day 1. */
export const dayInStage = (since: PlainDate, today: PlainDate): number =>
  Math.max(1, daysBetween(since, today) + 1)

/** Shown instead of a passcode in history and audit log. */
export const maskedPasscode = '••••'

/** Most recipients of a meeting link. */
export const mostRecipients = 20
