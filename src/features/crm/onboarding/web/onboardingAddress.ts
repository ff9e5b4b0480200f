import { pageOf } from '#web/record/recordAddress.ts'

export const onboardingAddress = ({ id, company }: { id: number; company: string }) =>
  pageOf('onboarding', id, company)
