import { Suspense } from 'react'
import type { Onboarding, OnboardingStep } from '#features/crm/onboarding/contract.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const StepForm = lazyPart(() => import('#features/crm/onboarding/web/StepForm.tsx'))
const SessionForm = lazyPart(() => import('#features/crm/onboarding/web/SessionForm.tsx'))
const HoldForm = lazyPart(() => import('#features/crm/onboarding/web/HoldForm.tsx'))
const LinkForm = lazyPart(() => import('#features/crm/onboarding/web/LinkForm.tsx'))

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
  const props = { onboarding, onClose }
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
