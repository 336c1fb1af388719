{{- define "longshore.fullname" -}}
{{- if contains "longshore" .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-longshore" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "longshore.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "longshore.fullname" .) -}}
{{- end -}}

{{- define "longshore.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* Of every object. */}}
{{- define "longshore.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/name: longshore
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Of the pods of a component: dict "root" $ "component" "edge". */}}
{{- define "longshore.selector" -}}
app.kubernetes.io/name: longshore
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "longshore.hasPostgres" -}}
{{- if not .Values.database.existingSecret }}true{{ end -}}
{{- end -}}

{{- define "longshore.keep" -}}
{{- if .Values.keepData }}
helm.sh/resource-policy: keep
{{- end }}
{{- end -}}

{{/* The rules of the Pod Security Standard "restricted", and a root file system that cannot be written. */}}
{{- define "longshore.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* dict "user" 10001 */}}
{{- define "longshore.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .user }}
runAsGroup: {{ .user }}
fsGroup: {{ .user }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* dict "root" $ "values" .Values.edge */}}
{{- define "longshore.scheduling" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Ports that server and edge must agree on. */}}
{{- define "longshore.edgePorts" -}}
- name: LONGSHORE_INGRESS_PORT
  value: {{ .Values.edge.httpPort | quote }}
{{- if .Values.edge.httpsPort }}
- name: LONGSHORE_HTTPS_PORT
  value: {{ .Values.edge.httpsPort | quote }}
{{- end }}
- name: LONGSHORE_EDGE_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "longshore.fullname" . }}-keys
      key: edge-key
{{- end -}}
