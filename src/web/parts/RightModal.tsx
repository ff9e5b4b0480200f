import type { ReactNode } from 'react'
import { Drawer } from '@mantine/core'
import { useMessage } from '#web/message/messages.ts'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  size?: number | string
}

/** A modal that opens from the right (A §2). For a form, use FormModal with `side="right"`. */
export function RightModal({ title, onClose, children, size = 520 }: Props) {
  const message = useMessage()
  const dialog = useDialog()
  return (
    <Drawer
      opened
      onClose={onClose}
      title={title}
      position="right"
      size={size}
      closeOnEscape={dialog.closeOnEscape && !message}
    >
      {children}
    </Drawer>
  )
}
