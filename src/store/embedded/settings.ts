/** Returns the server settings that differ from PostgreSQL's defaults: loopback only, one port, no replication. */
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
    // Sync after a crash with one call instead of one per file.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    // A small local database needs no I/O worker processes.
    ...(Number(version.split('.')[0]) >= 18 && { io_method: 'sync' }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
