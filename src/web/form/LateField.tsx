import { Suspense, type ReactNode } from 'react'
import { Input } from '@mantine/core'
import { LoadingState } from '#web/list/states.tsx'

/**
 * A field whose code loads late. Its place has the label and the height of an empty field, so that nothing below
 * moves when it arrives.
 */
export const LateField = ({ label, children }: { label: string; children: ReactNode }) => (
  <Suspense
    fallback={
      <Input.Wrapper label={label} size="xs">
        <LoadingState rows={1} />
      </Input.Wrapper>
    }
  >
    {children}
  </Suspense>
)
