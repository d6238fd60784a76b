{{/* The pod of one role. Parameters: root, component, args, resources, grace (seconds, 0 = the default), port of the API (0 = none). */}}
{{- define "millrace.pod" -}}
{{- $grace := .grace | default .root.Values.shutdownGraceSeconds }}
metadata:
  labels:
    {{- include "millrace.labels" . | nindent 4 }}
spec:
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: {{ add $grace 60 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: millrace
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{ toJson .args }}
      env:
        - { name: MILLRACE_METRICS_PORT, value: {{ .root.Values.metrics.port | quote }} }
        - { name: MILLRACE_SHUTDOWN_GRACE, value: "{{ $grace }}s" }
        {{- if .port }}
        - { name: MILLRACE_PORT, value: {{ .port | quote }} }
        {{- end }}
        {{- range $name, $value := .root.Values.env }}
        - { name: {{ $name }}, value: {{ $value | quote }} }
        {{- end }}
        {{- range $name, $key := .root.Values.secret.variables }}
        - name: {{ $name }}
          valueFrom: { secretKeyRef: { name: {{ $.root.Values.secret.name }}, key: {{ $key }} } }
        {{- end }}
      ports:
        - { name: metrics, containerPort: {{ .root.Values.metrics.port }} }
        {{- if .port }}
        - { name: http, containerPort: {{ .port }} }
        {{- end }}
      startupProbe:
        httpGet: { path: /livez, port: metrics }
        periodSeconds: 5
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /livez, port: metrics }
        periodSeconds: 20
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: { path: /readyz, port: metrics }
        periodSeconds: 10
        timeoutSeconds: 5
      lifecycle:
        # Time for the service to stop routing requests. SIGTERM then lets running work finish within the grace period.
        preStop: { exec: { command: [node, -e, "setTimeout(() => {}, 5000)"] } }
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      resources: {{ toJson .resources }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
  volumes:
    - { name: tmp, emptyDir: {} }
{{- end }}

{{- define "millrace.labels" -}}
app.kubernetes.io/name: millrace
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}
