import type { OnboardingRow } from '#features/crm/onboarding/contract.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'

/** Progress bar with the number of completed stages. */
export const Progress = ({
  row: { done, stages, company },
}: {
  row: Pick<OnboardingRow, 'done' | 'stages' | 'company'>
}) => (
  <span className={classes.progress}>
    <progress value={done} max={stages || 1} aria-label={`Progress of ${company}`} />
    <span>
      {done} of {stages}
    </span>
  </span>
)
