import { daysBetween, type PlainDate } from '#shared/dates.ts'

/** Pure rules of onboardings that server and browser both read. */

export const onboardingStatuses = { 1: 'In progress', 2: 'On hold', 3: 'Completed' } as const
export const onboardingTones = { 1: 'blue', 2: 'orange', 3: 'green' } as const

/** The tabs of /on-boarding, which are its own: the stored `tab` of the follow-ups is another one. */
export const onboardingTabs = { in_progress: 1, on_hold: 2, completed: 3 } as const
export type OnboardingTab = keyof typeof onboardingTabs
export const onboardingTabNames = Object.keys(onboardingTabs) as [OnboardingTab, ...OnboardingTab[]]
export const tabNames: Record<OnboardingTab, string> = { in_progress: 'In progress', on_hold: 'On hold', completed: 'Completed' }
export const isOnboardingTab = (tab: string): tab is OnboardingTab => Object.hasOwn(onboardingTabs, tab)
/** What the browser stores of a posted onboarding, and what its tab is. */
export const tabOfStatus = (status: number): OnboardingTab => onboardingTabNames.find((tab) => onboardingTabs[tab] === status) ?? 'in_progress'

/** Days in a stage, the first one being day 1. */
export const dayInStage = (since: PlainDate, today: PlainDate): number => Math.max(1, daysBetween(since, today) + 1)

/** What stands in history and audit instead of a passcode. */
export const maskedPasscode = '••••'

/** How many recipients a meeting link may have. */
export const mostRecipients = 20
