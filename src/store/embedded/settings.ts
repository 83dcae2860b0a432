/**
 * What the server is started with, beside PostgreSQL's defaults: it serves this machine alone, over one port, and
 * copies its data nowhere.
 */
export function settingsOf(version: string, port: number): readonly string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_logical_replication_workers: 0,
    log_checkpoints: 'off',
    timezone: 'UTC',
    cluster_name: 'waybill',
    // After a crash all is forced to the disk: by one call, not by one for each of a thousand files.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    // One machine's files need no processes that read ahead.
    ...(Number(version.split('.')[0]) >= 18 && { io_method: 'sync' }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
