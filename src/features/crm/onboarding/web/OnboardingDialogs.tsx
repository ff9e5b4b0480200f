import { Suspense } from 'react'
import { records } from '#shared/record.contract.ts'
import { onboardings, type Onboarding, type OnboardingStep } from '#features/crm/onboarding/contract.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const StepForm = lazyPart(() => import('#features/crm/onboarding/web/StepForm.tsx'))
const SessionForm = lazyPart(() => import('#features/crm/onboarding/web/SessionForm.tsx'))
const HoldForm = lazyPart(() => import('#features/crm/onboarding/web/HoldForm.tsx'))
const LinkForm = lazyPart(() => import('#features/crm/onboarding/web/LinkForm.tsx'))

/** Queries to refresh after a change of an onboarding. */
export const onboardingQueries = [onboardings.list, onboardings.show, onboardings.schedule, records.history]

export type OpenDialog =
  | { what: 'hold' | 'link' }
  | { what: 'session'; id?: number }
  | { what: 'step'; stage: number; step?: OnboardingStep }

/** The open dialog of an onboarding's page. */
export function OnboardingDialogs({
  onboarding,
  open,
  onClose,
}: {
  onboarding: Onboarding
  open: OpenDialog | undefined
  onClose: () => void
}) {
  const props = { onboarding, refresh: onboardingQueries, onClose }
  return (
    <Suspense>
      {open?.what === 'step' && <StepForm {...props} stage={open.stage} step={open.step} />}
      {open?.what === 'session' && (
        <SessionForm {...props} session={onboarding.sessions.find((one) => one.id === open.id)} />
      )}
      {open?.what === 'hold' && <HoldForm {...props} />}
      {open?.what === 'link' && <LinkForm {...props} />}
    </Suspense>
  )
}
