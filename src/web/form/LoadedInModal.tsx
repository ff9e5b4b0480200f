import type { ReactNode } from 'react'
import { Modal } from '@mantine/core'
import { ErrorState } from '#web/list/states.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

interface Props<Data> {
  query: Query<Data>
  title: string
  onClose: () => void
  /** Renders the dialog with the loaded data. */
  children: (data: Data) => ReactNode
}

/**
 * Dialog that needs data first: renders nothing while the data loads. If loading fails, a separate dialog
 * shows the error with a Retry button.
 */
export function LoadedInModal<Data>({ query, title, onClose, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.error ? (
    <Failed title={title} onClose={onClose}>
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    </Failed>
  ) : null
}

function Failed({
  title,
  onClose,
  children,
}: Omit<Props<never>, 'query' | 'children'> & { children: ReactNode }) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title={title}>
      {children}
    </Modal>
  )
}
